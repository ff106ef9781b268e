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

/** Compares docs/tests/errors.tsv with the sources and the tests that it names. */
class CuresDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "tests", "errors.tsv");
  private static final String HEADER = "class\tfragment\ttests";
  private static final List<String> MODULES =
      List.of("connector", "registry-client", "store", "completeness", "fast-avro");

  private static final Pattern TEST = Pattern.compile("(\\w+)(?:\\.(\\w+))?");

  /** A source that stops a task, or pauses it until an operator acts. */
  private static final Pattern STOPS =
      Pattern.compile(
          "new (?:LandingException|SchemaConflictException|CatalogConflictException|"
              + "CorruptLogException|LogRefusedException|PublishingRefusedException|"
              + "RejectedRecordException|StoreRefusedException|UnmergeableSchemasException)\\("
              + "|SchemaConflictException\\.(?:ofDamaged|passing)"
              + "|UnmergeableSchemasException\\.between"
              + "|extends LogRefusedException");

  /** Classes without a text of their own: they pass on the errors of others. */
  private static final List<String> PASS_ON =
      List.of(
          "BatchDeadLetters",
          "BatchStager",
          "DeadLetterReporter",
          "HdfsFailure",
          "LayoutChangedException",
          "SchemaConflictException",
          "SchemaMerge",
          "TableTakenException",
          "TruncationCheck");

  /** The failures of services. */
  private static final String FAILURES = "failures.txt";

  /**
   * A row.
   *
   * @param source the class, or the file, that has the error
   * @param says a fragment of its message
   * @param tests tests, or their methods, separated by spaces
   */
  record Row(String source, String says, String tests) {

    static Row of(String line) {
      String[] cells = line.split("\t", -1);
      assertThat(cells).as(line).hasSize(3);
      return new Row(cells[0], cells[1], cells[2]);
    }
  }

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
                  .contains(row.says());
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
    assertThat(missing).as("classes whose errors docs/tests/errors.tsv lacks").isEmpty();
  }

  private static List<Row> rows() throws IOException {
    List<String> lines = Files.readAllLines(DOCUMENT);
    assertThat(lines.get(0)).isEqualTo(HEADER);
    return lines.stream().skip(1).map(Row::of).toList();
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
      for (String folder : List.of("java", "resources")) {
        addSources(Path.of("..", module, "src", kind, folder), sources);
      }
    }
    return sources;
  }

  private static void addSources(Path folder, Map<String, String> sources) throws IOException {
    if (!Files.exists(folder)) {
      return; // The tests of store and completeness are in the connector.
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".java") || name.equals(FAILURES)) {
          sources.put(name.replace(".java", ""), Files.readString(file));
        }
      }
    }
  }
}
