package io.tidemark.benchmarks.articles;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Times passes over records: warms them up until the JIT compiler is idle, times them in a few
 * iterations, and takes the fastest. Other programs of the machine can only make an iteration
 * slower, and do so by more than two libraries differ. It runs in forks with other versions of
 * libraries, so it uses only the JDK.
 *
 * @param warmUp the time of uncounted passes; up to six times as long while the JIT compiler is
 *     busy
 * @param iteration the time of an iteration; at least one pass
 * @param iterations the number of iterations
 */
public record PassTimer(Duration warmUp, Duration iteration, int iterations) {

  /** A timer of less than a second, for quick runs. */
  public static final PassTimer QUICK =
      new PassTimer(Duration.ofMillis(450), Duration.ofMillis(60), 3);

  private static final int PARTS = 4;

  /** The longest warm-up, in times of the usual one. */
  private static final int LONGEST = 6;

  /** The share of a part's time above which the JIT compiler is busy. */
  private static final double BUSY = 0.2;

  /** The sum of the passes' results, so that the JIT compiler cannot remove the passes. */
  private static final AtomicLong SUM = new AtomicLong();

  /** Returns the nanoseconds of a pass in the fastest iteration. */
  public double nanosPerPass(LongSupplier pass) {
    warmUp(pass);
    double fastest = Double.MAX_VALUE;
    for (int i = 0; i < iterations; i++) {
      fastest = Math.min(fastest, nanosPerPass(pass, iteration));
    }
    return fastest;
  }

  /**
   * Warms up in four parts, and goes on part by part while the JIT compiler is busy, up to six
   * times as long. The many methods of a wide record keep it busy for seconds.
   */
  private void warmUp(LongSupplier pass) {
    CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    Duration part = warmUp.dividedBy(PARTS);
    long start = System.nanoTime();
    boolean busy;
    do {
      long before = compiler.getTotalCompilationTime();
      SUM.addAndGet((long) nanosPerPass(pass, part));
      long compiled = compiler.getTotalCompilationTime() - before;
      busy = compiled > part.toMillis() * BUSY;
    } while (System.nanoTime() - start < (busy ? LONGEST : 1) * warmUp.toNanos());
  }

  private static double nanosPerPass(LongSupplier pass, Duration time) {
    long passes = 0;
    long elapsed;
    long start = System.nanoTime();
    do {
      SUM.addAndGet(pass.getAsLong());
      passes++;
      elapsed = System.nanoTime() - start;
    } while (elapsed < time.toNanos());
    return (double) elapsed / passes;
  }

  /** Returns the timer as arguments of a fork. */
  public List<String> arguments() {
    return List.of(
        Long.toString(warmUp.toMillis()),
        Long.toString(iteration.toMillis()),
        Integer.toString(iterations));
  }

  /** Parses a timer from {@link #arguments}, beginning at an index. */
  public static PassTimer parse(String[] arguments, int from) {
    return new PassTimer(
        Duration.ofMillis(Long.parseLong(arguments[from])),
        Duration.ofMillis(Long.parseLong(arguments[from + 1])),
        Integer.parseInt(arguments[from + 2]));
  }
}
