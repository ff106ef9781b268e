package io.tidemark.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import io.tidemark.benchmarks.contenders.Contender;
import io.tidemark.benchmarks.contenders.CountingSink;
import io.tidemark.benchmarks.contenders.Job;
import io.tidemark.benchmarks.contenders.Work;
import io.tidemark.benchmarks.records.ReferenceRecord;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;

/**
 * Prints the CPU time of a conversion and of the same with Avro's objects, in ns a record, and the
 * ratio. Passes of both alternate in one JVM, so other programs affect both alike. Not a test.
 */
public final class ConversionRatios {
  private static final long INPUT_BYTES = 8L << 20;
  private static final long WARM_UP_NANOS = 2_500_000_000L;
  private static final long MEASURED_NANOS = 3_000_000_000L;

  private ConversionRatios() {}

  /** Prints the ratio of one record, whose name is the argument: each has a JVM of its own. */
  public static void main(String[] name) throws IOException {
    ReferenceRecord record = ReferenceRecord.named(name[0]);
    byte[][] datums = record.datums(INPUT_BYTES);
    var ours = new Timed(Contender.OURS.prepare(job(record, datums)));
    var stock = new Timed(Contender.STOCK.prepare(job(record, datums)));
    while (Math.min(ours.used, stock.used) < WARM_UP_NANOS + MEASURED_NANOS) {
      (ours.used <= stock.used ? ours : stock).run();
    }
    double oursNanos = ours.nanosPerRun() / datums.length;
    double stockNanos = stock.nanosPerRun() / datums.length;
    System.out.printf(
        "%-15s %,6.0f %,7.0f %5.1f%n",
        record.name(), oursNanos, stockNanos, stockNanos / oursNanos);
  }

  private static Job job(ReferenceRecord record, byte[][] datums) {
    return new Job(
        Work.REWRITE,
        record.writerSchema(),
        record.tableSchema(),
        record.mapped(),
        "null",
        1,
        datums,
        new CountingSink());
  }

  /** A contender's pass, and the CPU time of its runs, also that of the garbage collector. */
  private static final class Timed {
    private final LongSupplier pass;
    private long used;
    private long measured;
    private long runs;

    Timed(LongSupplier pass) {
      this.pass = pass;
    }

    void run() {
      long begun = cpuNanos();
      long unused = pass.getAsLong();
      long taken = cpuNanos() - begun;
      if (used >= WARM_UP_NANOS) {
        measured += taken;
        runs++;
      }
      used += taken;
    }

    double nanosPerRun() {
      return (double) measured / runs;
    }

    private static long cpuNanos() {
      return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }
  }
}
