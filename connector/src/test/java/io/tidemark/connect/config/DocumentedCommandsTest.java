package io.tidemark.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Compares the commands in code blocks of all documents with docs/tests/commands.tsv, which names
 * the test or script that runs each, or the date on which it was run by hand.
 */
class DocumentedCommandsTest {
  private static final Path ROOT = Path.of("..");
  private static final Path LIST = ROOT.resolve("docs").resolve("tests").resolve("commands.tsv");
  private static final String HEADER = "command\trun by\ttext\tlast run\tnote";

  /** Runs of commands that no test or script runs. */
  private static final String BY_HAND = "by hand";

  /** Of a command that cannot be run before its reader has replaced a part of it. */
  private static final String PLACEHOLDER = "placeholder";

  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");

  /** A command, after the prompt if there is one. Example: {@code ./stack up}. */
  private static final Pattern COMMAND =
      Pattern.compile(
          "(?:\\./|\\.ci/|bin/|docker/|docs/model/|benchmarks/)\\S.*"
              + "|(?:beeline|cd|curl|docker|echo|export|git|hdfs|java|javap|jdb|kafka-[a-z-]+\\.sh|mvn"
              + "|pip|python3|tar|tidemark) .*");

  private static final String PROMPT = "$ ";

  /** The end of a line that the next line continues. */
  private static final Pattern CONTINUED = Pattern.compile("\\\\\\n\\s*");

  /**
   * A row of the list. Example: {@code ./stack up}, run by {@code .ci/commands} on 2026-11-26.
   *
   * @param command the beginning of a command
   * @param runBy a test or script, {@link #BY_HAND} or {@link #PLACEHOLDER}
   * @param text the command's text in the test or script
   * @param lastRun a date; empty for a placeholder
   * @param note for a command that is run by hand, the nearest check; for a placeholder, what the
   *     reader replaces
   */
  private record Listed(String command, String runBy, String text, String lastRun, String note) {

    static Listed of(String row) {
      String[] cells = row.split("\t", -1);
      assertThat(cells).as(row).hasSizeBetween(4, 5);
      return new Listed(
          cells[0],
          cells[1],
          cells[2].isEmpty() ? cells[0] : cells[2],
          cells[3],
          cells.length == 4 ? "" : cells[4]);
    }

    boolean isRunByTestOrScript() {
      return !runBy.equals(BY_HAND) && !runBy.equals(PLACEHOLDER);
    }
  }

  @Test
  void everyDocumentedCommandIsRunOrListed() throws IOException {
    List<Listed> listed = listed();
    List<String> missing = new ArrayList<>();
    for (Path document : DocumentsTest.documents()) {
      for (String command : commands(Files.readString(document))) {
        if (listed.stream().noneMatch(each -> command.startsWith(each.command()))) {
          missing.add(document.normalize() + ": " + command);
        }
      }
    }
    assertThat(missing).as("commands that docs/tests/commands.tsv does not list").isEmpty();
  }

  @Test
  void everyListedCommandIsDocumented() throws IOException {
    List<String> documented = new ArrayList<>();
    for (Path document : DocumentsTest.documents()) {
      documented.addAll(commands(Files.readString(document)));
    }
    assertThat(listed().stream().map(Listed::command))
        .isNotEmpty()
        .doesNotHaveDuplicates()
        .allSatisfy(
            listed -> assertThat(documented).anyMatch(command -> command.startsWith(listed)));
  }

  @Test
  void everyListedRunHasItsDateOrItsPlaceholder() throws IOException {
    assertThat(listed())
        .allSatisfy(
            row -> {
              if (row.runBy().equals(PLACEHOLDER)) {
                assertThat(row.lastRun()).isEmpty();
              } else {
                assertThat(row.lastRun()).matches(DATE);
              }
              assertThat(row.note().isEmpty()).isEqualTo(row.isRunByTestOrScript());
            });
  }

  @Test
  void everyListedTestOrScriptHasItsCommand() throws IOException {
    for (Listed row : listed()) {
      if (!row.isRunByTestOrScript()) {
        continue;
      }
      Path runs = ROOT.resolve(row.runBy());
      assertThat(runs).as("runs %s", row.command()).isRegularFile();
      assertThat(CONTINUED.matcher(Files.readString(runs)).replaceAll(""))
          .as("%s", runs)
          .contains(row.text());
    }
  }

  private static List<Listed> listed() throws IOException {
    List<String> rows = Files.readAllLines(LIST);
    assertThat(rows.get(0)).isEqualTo(HEADER);
    return rows.stream().skip(1).map(Listed::of).toList();
  }

  private static List<String> commands(String document) {
    List<String> commands = new ArrayList<>();
    for (List<String> block : Prose.codeBlocks(document)) {
      boolean prompted = block.stream().anyMatch(line -> line.startsWith(PROMPT));
      for (String line : joined(block)) {
        String command = line.startsWith(PROMPT) ? line.substring(PROMPT.length()) : line;
        if (prompted == line.startsWith(PROMPT) && COMMAND.matcher(command).matches()) {
          commands.add(command);
        }
      }
    }
    return commands;
  }

  /** The lines of a block, each joined with its continuation lines. */
  private static List<String> joined(List<String> block) {
    List<String> joined = new ArrayList<>();
    StringBuilder command = new StringBuilder();
    for (String line : block) {
      boolean broken = line.endsWith("\\");
      command.append(broken ? line.substring(0, line.length() - 1).strip() : line);
      if (broken || line.endsWith("&&") || line.endsWith("|")) {
        command.append(' ');
      } else {
        joined.add(command.toString());
        command.setLength(0);
      }
    }
    if (!command.isEmpty()) {
      joined.add(command.toString().strip());
    }
    return joined;
  }
}
