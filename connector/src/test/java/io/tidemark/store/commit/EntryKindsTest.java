package io.tidemark.store.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles the connector's sources with a kind of entry that no reader handles. */
class EntryKindsTest {
  private static final List<Path> SOURCES =
      Stream.of("store", "completeness", "connector")
          .map(module -> Path.of("..", module, "src", "main", "java"))
          .toList();
  private static final Path ENTRY =
      SOURCES.get(0).resolve("io/tidemark/store/commit/CommitEntry.java");
  private static final Pattern READS = Pattern.compile("\\.match\\(\\s*\\w+ ->");
  private static final String LAST_FUNCTION = "Function<Adopted, R> adopted)";
  private static final String KIND =
      """
      record Planted(UUID attempt, Optional<UUID> before, LogState state, Instant writtenAt)
          implements CommitEntry { %s } }
      """;
  private static final String MATCH =
      "@Override public <R> R match(Function<Claim, R> claim, Function<Batch, R> batch,"
          + " Function<Skip, R> skip, Function<Checkpoint, R> checkpoint,"
          + " Function<Adopted, R> adopted, Function<Planted, R> planted)"
          + " { return planted.apply(this); }";

  @TempDir Path planted;
  @TempDir Path classes;

  @Test
  void readersHaveAFunctionForEveryKind() {
    Method match =
        Stream.of(CommitEntry.class.getMethods())
            .filter(method -> method.getName().equals("match"))
            .findFirst()
            .orElseThrow();
    assertThat(match.getGenericParameterTypes())
        .extracting(function -> ((ParameterizedType) function).getActualTypeArguments()[0])
        .containsExactlyInAnyOrder(CommitEntry.class.getPermittedSubclasses());
  }

  @Test
  void newKindDoesNotCompileUntilEveryReaderSaysWhatItDoesWithIt() throws IOException {
    String source =
        Files.readString(ENTRY)
            .replace(LAST_FUNCTION, LAST_FUNCTION.replace(")", ", Function<Planted, R> planted)"));
    assertThat(errors(List.of(withKind(source, MATCH)))).as("the planted kind itself").isEmpty();

    List<Path> readers =
        sources(text -> text.contains("CommitEntry") && READS.matcher(text).find());
    assertThat(readers).hasSizeGreaterThan(2).doesNotContain(ENTRY);
    for (Path reader : readers) {
      assertThat(errors(List.of(reader)))
          .as("%s with a kind that it does not name", reader)
          .anyMatch(error -> error.contains("match") && error.contains("cannot be applied"));
    }
    List<Path> others =
        sources(text -> text.contains("CommitEntry") && !READS.matcher(text).find()).stream()
            .filter(file -> !file.equals(ENTRY))
            .toList();
    assertThat(errors(others)).as("those that read no entry").isEmpty();
  }

  @Test
  void noReaderLooksForAKindByItsClass() throws IOException {
    assertThat(
            sources(
                text ->
                    // The ledger's own kinds of entries may have these names, too.
                    !text.contains("sealed interface")
                        && Pattern.compile(
                                "instanceof\\s+(CommitEntry\\.)?(Claim|Batch|Skip|Checkpoint|Adopted)\\b")
                            .matcher(text)
                            .find()))
        .isEmpty();
  }

  private Path withKind(String source, String body) throws IOException {
    Path file = planted.resolve("CommitEntry.java");
    return Files.writeString(
        file, source.substring(0, source.lastIndexOf('}')) + KIND.formatted(body));
  }

  private static List<Path> sources(Predicate<String> text) throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path folder : SOURCES) {
      try (Stream<Path> files = Files.walk(folder)) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .filter(file -> text.test(read(file)))
            .forEach(found::add);
      }
    }
    return found;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * The compiler's errors. It compiles first against earlier results of this test, then against the
   * connector's classes.
   */
  private List<String> errors(List<Path> sources) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    boolean compiled;
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      compiled =
          compiler
              .getTask(
                  new StringWriter(),
                  files,
                  found,
                  List.of(
                      "-proc:none",
                      "-d",
                      classes.toString(),
                      "-cp",
                      classes + File.pathSeparator + System.getProperty("java.class.path")),
                  null,
                  files.getJavaFileObjectsFromPaths(sources))
              .call();
    }
    List<String> errors =
        found.getDiagnostics().stream()
            .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
            .map(each -> each.getMessage(Locale.ROOT))
            .toList();
    assertThat(compiled).isEqualTo(errors.isEmpty());
    return errors;
  }
}
