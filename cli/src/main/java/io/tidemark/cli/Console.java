package io.tidemark.cli;

import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/**
 * Where a command prints, and its time.
 *
 * @param out for answers
 * @param err for problems and progress
 * @param poll between two looks of {@code wait}
 */
record Console(PrintWriter out, PrintWriter err, Clock clock, Duration poll) {

  void print(List<String> lines) {
    lines.forEach(out::println);
    out.flush();
  }

  void note(List<String> lines) {
    lines.forEach(err::println);
    err.flush();
  }
}
