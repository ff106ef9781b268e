package io.tidemark.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * The output of the demo: numbered steps with their times, and progress, as a bar on a terminal and
 * as occasional lines in a file. Used by one thread.
 */
final class Screen {

  private static final int BAR_CHARACTERS = 24;
  private static final Duration BAR_PERIOD = Duration.ofMillis(200);
  private static final Duration LINE_PERIOD = Duration.ofSeconds(5);

  private final PrintStream out;
  private final boolean terminal;
  private final Map<String, Duration> stepTimes = new LinkedHashMap<>();
  private long lastShown;
  private int barLength;

  Screen(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Runs a step, which may show progress; prints its heading before and its time after it. */
  <T> T step(int number, int steps, String heading, Callable<T> step) throws Exception {
    out.printf("[%d/%d] %s%n", number, steps, heading);
    out.flush();
    long start = System.nanoTime();
    T result = step.call();
    clearBar();
    Duration time = Duration.ofNanos(System.nanoTime() - start);
    stepTimes.put(heading, time);
    out.printf(Locale.ROOT, "      done in %.1f s%n", seconds(time));
    out.flush();
    return result;
  }

  /** Returns the completed steps, in order, with their times. */
  Map<String, Duration> stepTimes() {
    return Collections.unmodifiableMap(stepTimes);
  }

  void line(String format, Object... arguments) {
    clearBar();
    out.printf(Locale.ROOT, "      " + format + "%n", arguments);
    out.flush();
  }

  /** Shows how much of a whole is done; does nothing shortly after the last call. */
  void progress(long done, long whole, String detail) {
    long now = System.nanoTime();
    if (now - lastShown < (terminal ? BAR_PERIOD : LINE_PERIOD).toNanos()) {
      return;
    }
    lastShown = now;
    int percent = (int) (100.0 * done / whole);
    if (!terminal) {
      line("%3d %%  %s", percent, detail);
      return;
    }
    int filled = BAR_CHARACTERS * percent / 100;
    String bar =
        "      [%s%s] %3d %%  %s"
            .formatted("#".repeat(filled), ".".repeat(BAR_CHARACTERS - filled), percent, detail);
    out.print("\r" + bar + " ".repeat(Math.max(0, barLength - bar.length())));
    out.flush();
    barLength = bar.length();
  }

  private void clearBar() {
    if (barLength > 0) {
      out.print("\r" + " ".repeat(barLength) + "\r");
      barLength = 0;
    }
  }

  static double seconds(Duration time) {
    return time.toMillis() / 1e3;
  }
}
