package io.tidemark.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares the commands in code blocks of all documents with docs/tests/README.md, which names the
 * test or script that runs each, or the date on which it was run.
 */
class DocumentedCommandsTest {
  private static final Path ROOT = Path.of("..");
  private static final Path LIST = ROOT.resolve("docs").resolve("tests").resolve("README.md");

  /** A command, after the prompt if there is one. Example: {@code ./stack up}. */
  private static final Pattern COMMAND =
      Pattern.compile(
          "(?:\\./|\\.ci/|bin/|docker/|docs/model/|benchmarks/)\\S.*"
              + "|(?:beeline|cd|curl|docker|echo|export|git|hdfs|java|javap|jdb|kafka-[a-z-]+\\.sh|mvn"
              + "|pip|python3|tar|tidemark) .*");

  private static final String PROMPT = "$ ";

  /** A row. Example: <code>| `docker/up` | `.ci/docker` | `docker/up` | 2026-11-26 |</code> */
  private static final Pattern RUN =
      Pattern.compile(
          "(?m)^\\| `([^`]+)` \\| `([^`]+)` \\| `([^`]+)` \\| \\d{4}-\\d{2}-\\d{2} \\|$");

  /** A row. Example: <code>| `./demo` | by hand: 2026-11-26 | none in CI |</code> */
  private static final Pattern BY_HAND =
      Pattern.compile("(?m)^\\| `([^`]+)` \\| by hand: \\d{4}-\\d{2}-\\d{2} \\| .*\\|$");

  /** A row. Example: <code>| `git clone` | not as written: placeholder | the address |</code> */
  private static final Pattern PLACEHOLDER =
      Pattern.compile("(?m)^\\| `([^`]+)` \\| not as written: placeholder \\| .*\\|$");

  /** The end of a line that the next line continues. */
  private static final Pattern CONTINUED = Pattern.compile("\\\\\\n\\s*");

  @Test
  void everyDocumentedCommandIsRunOrListed() throws IOException {
    List<String> listed = listed();
    List<String> missing = new ArrayList<>();
    for (Path document : DocumentsTest.documents()) {
      for (String command : commands(Files.readString(document))) {
        if (listed.stream().noneMatch(command::startsWith)) {
          missing.add(document.normalize() + ": " + command);
        }
      }
    }
    assertThat(missing).as("commands that docs/tests/README.md does not list").isEmpty();
  }

  @Test
  void everyListedCommandIsDocumented() throws IOException {
    List<String> documented = new ArrayList<>();
    for (Path document : DocumentsTest.documents()) {
      documented.addAll(commands(Files.readString(document)));
    }
    assertThat(listed())
        .isNotEmpty()
        .doesNotHaveDuplicates()
        .allSatisfy(
            listed -> assertThat(documented).anyMatch(command -> command.startsWith(listed)));
  }

  @Test
  void everyListedTestOrScriptHasItsCommand() throws IOException {
    for (MatchResult row : RUN.matcher(Files.readString(LIST)).results().toList()) {
      Path runs = ROOT.resolve(row.group(2));
      assertThat(runs).as("runs %s", row.group(1)).isRegularFile();
      assertThat(CONTINUED.matcher(Files.readString(runs)).replaceAll(""))
          .as("%s", runs)
          .contains(row.group(3));
    }
  }

  private static List<String> listed() throws IOException {
    String list = Files.readString(LIST);
    return Stream.of(RUN, BY_HAND, PLACEHOLDER)
        .flatMap(row -> row.matcher(list).results())
        .map(row -> row.group(1))
        .toList();
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
