package io.tidemark.connect.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Properties;

/**
 * The number of completions in fault tests, and of false and missing ones. They are in a file in
 * the directory of {@link FaultCount}, whose {@code main} prints them last.
 *
 * <p>Example: {@code target/faults/completeness.properties} with {@code completions=812345}, {@code
 * false=0}, {@code missing=0}
 *
 * @param completions statements that a table, a Hive partition or a group is complete
 * @param untrue statements that were false when they were made
 * @param missing schedules in which something was not complete in time
 */
record CompletionCount(long completions, long untrue, long missing) {
  static final String FILE_NAME = "completeness.properties";

  /** Writes the count to a file for the report. */
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

  /** True if something was checked and no error was found. */
  boolean good() {
    return completions > 0 && untrue == 0 && missing == 0;
  }

  @Override
  public String toString() {
    return "completeness: %d completions, %d false, %d missing"
        .formatted(completions, untrue, missing);
  }
}
