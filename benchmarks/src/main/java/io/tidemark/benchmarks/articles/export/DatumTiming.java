package io.tidemark.benchmarks.articles.export;

import io.tidemark.benchmarks.contenders.Contender;
import io.tidemark.benchmarks.contenders.CountingSink;
import io.tidemark.benchmarks.contenders.Job;
import io.tidemark.benchmarks.contenders.Work;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Prints the nanoseconds of a contender for a datum of a {@link DatumFile}, over passes of a given
 * time after uncounted ones.
 *
 * <pre>
 * DatumTiming ours check-copy quotes.datums 1.5 1   1.5 s do not count, then 1 s counts
 * </pre>
 */
public final class DatumTiming {
  private DatumTiming() {}

  /** Measures; the arguments are a contender, a work, a file, and two times in seconds. */
  public static void main(String[] args) throws IOException {
    DatumFile file = DatumFile.read(Path.of(args[2]));
    LongSupplier pass =
        Contender.labelled(args[0])
            .prepare(
                new Job(
                    Work.labelled(args[1]),
                    file.schema(),
                    file.schema(),
                    "null",
                    file.datums(),
                    new CountingSink()));
    nsPerPass(pass, Double.parseDouble(args[3]));
    double ns = nsPerPass(pass, Double.parseDouble(args[4])) / file.datums().length;
    System.out.println(ns);
  }

  private static double nsPerPass(LongSupplier pass, double seconds) {
    long begin = System.nanoTime();
    long deadline = begin + (long) (seconds * 1e9);
    long passes = 0;
    long now;
    do {
      if (pass.getAsLong() <= 0) {
        throw new IllegalStateException("a pass did nothing");
      }
      passes++;
      now = System.nanoTime();
    } while (now < deadline);
    return (double) (now - begin) / passes;
  }
}
