package io.tidemark.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares the table of errors in docs/tests/README.md with the sources and the tests that it
 * names.
 */
class CuresDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "tests", "README.md");
  private static final String HEADING = "## Errors and their tests";
  private static final List<String> MODULES = List.of("connector", "registry-client");

  /** A row. Example: <code>| `LogOwner` | write it anew | `CuresTest.identityIsWritten` |</code> */
  private static final Pattern ROW = Pattern.compile("\\| `(\\w+)` \\| (.+?) \\| (.+?) \\|");

  private static final Pattern TEST = Pattern.compile("`(\\w+)(?:\\.(\\w+))?`");

  /** A source that stops a task, or pauses it until an operator acts. */
  private static final Pattern STOPS =
      Pattern.compile(
          "new (?:LandingException|SchemaConflictException|CatalogConflictException|"
              + "CorruptLogException|TableBlockedException|"
              + "RejectedRecordException|StoreRefusedException)\\("
              + "|SchemaConflictException\\.(?:between|ofDamaged)"
              + "|extends LogRefusedException");

  /** Classes without a text of their own: they pass on the errors of others. */
  private static final List<String> PASS_ON =
      List.of(
          "BatchDeadLetters",
          "BatchStager",
          "DeadLetterReporter",
          "LayoutChangedException",
          "SchemaMerge",
          "TableTakenException",
          "TableOwnedException",
          "TruncationCheck");

  record Row(String source, String says, String tests) {}

  @Test
  void everyErrorOfTheTableIsOneOfItsSource() throws IOException {
    Map<String, String> sources = sources("main");
    assertThat(rows())
        .hasSizeGreaterThan(40)
        .allSatisfy(
            row -> {
              assertThat(sources).as("%s", row).containsKey(row.source());
              assertThat(texts(sources.getOrDefault(row.source(), "")))
                  .as("%s", row)
                  .contains(row.says().replace("`", ""));
            });
  }

  @Test
  void everyTestOfTheTableIsThere() throws IOException {
    Map<String, String> tests = sources("test");
    for (Row row : rows()) {
      Matcher named = TEST.matcher(row.tests());
      assertThat(named.find()).as("%s names a test", row).isTrue();
      do {
        assertThat(tests).as("%s", row).containsKey(named.group(1));
        if (named.group(2) != null) {
          assertThat(tests.getOrDefault(named.group(1), ""))
              .as("%s", row)
              .contains(" " + named.group(2) + "(");
        }
      } while (named.find());
    }
  }

  @Test
  void everyClassThatStopsATaskIsInTheTable() throws IOException {
    List<String> listed = rows().stream().map(Row::source).toList();
    List<String> missing = new ArrayList<>();
    sources("main")
        .forEach(
            (name, source) -> {
              if (STOPS.matcher(source).find()
                  && !listed.contains(name)
                  && !PASS_ON.contains(name)) {
                missing.add(name);
              }
            });
    assertThat(missing).as("classes whose errors docs/tests/README.md lacks").isEmpty();
  }

  private static List<Row> rows() throws IOException {
    return Files.readAllLines(DOCUMENT).stream()
        .dropWhile(line -> !line.equals(HEADING))
        .skip(1)
        .takeWhile(line -> !line.startsWith("## "))
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .map(row -> new Row(row.group(1), row.group(2), row.group(3)))
        .toList();
  }

  /** The string literals of a source, joined over its lines. */
  private static String texts(String source) {
    return source
        .replaceAll("\"\\s*\\+\\s*\"", "")
        .replaceAll("\\\\\\n\\s*", "")
        .replace("\\\"", "\"");
  }

  private static Map<String, String> sources(String kind) throws IOException {
    Map<String, String> sources = new TreeMap<>();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src", kind, "java"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          sources.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
        }
      }
    }
    return sources;
  }
}
