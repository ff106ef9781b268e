package io.tidemark.cli;

import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/**
 * The output streams and the clock of a command.
 *
 * @param err the stream for problems and progress
 * @param poll the pause between two checks of {@code wait}
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
