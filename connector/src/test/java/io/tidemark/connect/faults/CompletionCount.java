package io.tidemark.connect.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Properties;

/**
 * What reckoners said to be complete in fault tests: a file beside those of {@link FaultCount},
 * whose {@code main} prints it last.
 *
 * <p>Example: {@code target/faults/completeness.properties} with {@code completions=812345}, {@code
 * false=0}, {@code missing=0}
 *
 * @param completions statements that a table, a Hive partition or a group is complete
 * @param untrue those that were not true when they were made
 * @param missing schedules in which something was not complete in time
 */
record CompletionCount(long completions, long untrue, long missing) {
  static final String FILE_NAME = "completeness.properties";

  /** Leaves the count for the report. */
  void report() {
    var count = new Properties();
    count.setProperty("completions", Long.toString(completions));
    count.setProperty("false", Long.toString(untrue));
    count.setProperty("missing", Long.toString(missing));
    FaultCount.write(FILE_NAME, count);
    System.out.println(this);
  }

  static CompletionCount read(Path file) throws IOException {
    Properties count = FaultCount.read(file);
    return new CompletionCount(
        Long.parseLong(count.getProperty("completions")),
        Long.parseLong(count.getProperty("false")),
        Long.parseLong(count.getProperty("missing")));
  }

  /** Whether there was something to check, and nothing was found. */
  boolean good() {
    return completions > 0 && untrue == 0 && missing == 0;
  }

  @Override
  public String toString() {
    return "completeness: %d completions, %d false, %d missing"
        .formatted(completions, untrue, missing);
  }
}
