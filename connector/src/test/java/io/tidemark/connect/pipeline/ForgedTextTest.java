package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No text of a record, a schema, a schema id or a registry's answer begins a line of its own in the
 * log or in a dead letter's reason, or reaches a terminal as more than text.
 */
final class ForgedTextTest {
  // But for the ends of lines, and the tabs in front of a stack trace's.
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
