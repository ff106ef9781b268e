package io.tidemark.benchmarks.articles;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Times passes over records: they are warmed up until they are steady, then timed in a few
 * iterations, of which the median counts. It runs in forks with libraries of other versions, and
 * needs the JDK alone.
 *
 * @param warmUp how long passes are not timed, and up to four times as long while they get faster
 * @param iteration how long passes are timed together; one at least
 * @param iterations how often
 */
public record PassTimer(Duration warmUp, Duration iteration, int iterations) {

  /** Less than a second, for quick runs. */
  public static final PassTimer QUICK =
      new PassTimer(Duration.ofMillis(450), Duration.ofMillis(60), 3);

  private static final int PARTS = 4;

  /** How much of its time a pass may still lose over two parts of the warm-up. */
  private static final double STEADY = 0.97;

  /** A sum of what passes returned, so that the JIT compiler cannot leave them out. */
  private static final AtomicLong SUM = new AtomicLong();

  /** The median nanoseconds of a pass. */
  public double nanosPerPass(LongSupplier pass) {
    warmUp(pass);
    var nanos = new double[iterations];
    for (int i = 0; i < iterations; i++) {
      nanos[i] = nanosPerPass(pass, iteration);
    }
    Arrays.sort(nanos);
    return nanos[iterations / 2];
  }

  /**
   * Warms up in four parts, and goes on part by part while passes get faster, up to four times as
   * long. The JIT compiler needs seconds for the many methods of a wide record.
   */
  private void warmUp(LongSupplier pass) {
    Duration part = warmUp.dividedBy(PARTS);
    var nanos = new ArrayList<Double>();
    long start = System.nanoTime();
    do {
      nanos.add(nanosPerPass(pass, part));
    } while (nanos.size() < 4 * PARTS
        && System.nanoTime() - start < 4 * warmUp.toNanos()
        && (nanos.size() < PARTS || getsFaster(nanos)));
  }

  /** Compares with two parts before, because one may have had to wait for the compiler. */
  private static boolean getsFaster(List<Double> nanos) {
    int last = nanos.size() - 1;
    return nanos.get(last) < STEADY * nanos.get(last - 2);
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

  /** The timer as arguments of a fork. */
  public List<String> arguments() {
    return List.of(
        Long.toString(warmUp.toMillis()),
        Long.toString(iteration.toMillis()),
        Integer.toString(iterations));
  }

  /** The timer that {@link #arguments} wrote, from an index on. */
  public static PassTimer parse(String[] arguments, int from) {
    return new PassTimer(
        Duration.ofMillis(Long.parseLong(arguments[from])),
        Duration.ofMillis(Long.parseLong(arguments[from + 1])),
        Integer.parseInt(arguments[from + 2]));
  }
}
