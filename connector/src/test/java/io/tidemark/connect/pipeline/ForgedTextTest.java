package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Forged log lines. Texts of records, schemas, schema ids or registry answers never begin a line of
 * the log or of a dead letter's reason. They never contain control characters that a terminal would
 * execute.
 */
final class ForgedTextTest {
  // Line ends are allowed, and so are the tabs before lines of a stack trace.
  private static final Pattern UNPRINTABLE =
      Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}&&[^\\n\\t]]");

  @TempDir Path directory;

  @Test
  void nothingThatIsSaidHoldsALineThatDataForged() throws Exception {
    String said = OtherProgram.run(TasksWithForgedText.class, directory.resolve("output"));

    assertThat(said)
        .as("all was tried, and at every level")
        .contains(TasksWithForgedText.END, "DEBUG io.tidemark", "retrying in")
        .contains("failed 3 times, retrying", "the task has failed", "a dead letter: ")
        .contains("because Avro rejects a name or a default", "the default of f")
        .contains("the store did not answer: rename /topics", "U+0000", "the directory's name has")
        .contains("schema id x ", "is unknown to memory");
    assertThat(said.lines().filter(line -> line.startsWith(TasksWithForgedText.FORGED_LINE)))
        .isEmpty();
    assertThat(said.lines().filter(line -> UNPRINTABLE.matcher(line).find())).isEmpty();
  }
}
