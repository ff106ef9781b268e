package io.tidemark.benchmarks.landing;

import java.util.ArrayList;
import java.util.List;

/** The readings of a run. Used by one thread. */
final class Progress {
  private final List<Look> looks = new ArrayList<>();

  /**
   * A reading of the worker.
   *
   * @param nanos the time, of {@link System#nanoTime()}
   * @param records the number of records that the task had received
   * @param cpuNanos the CPU time of the whole worker process
   * @param heapBytes the used heap, with garbage
   * @param residentBytes the resident memory of the whole worker process
   * @param putCpuNanos the CPU time of the task's {@code put()}; 0 if the sink does not report it
   */
  record Look(
      long nanos,
      double records,
      double cpuNanos,
      double heapBytes,
      double residentBytes,
      double putCpuNanos) {

    private static double between(double before, double after, double fraction) {
      return before + (after - before) * fraction;
    }

    /** Interpolates between two readings. */
    static Look between(Look before, Look after, double fraction) {
      return new Look(
          before.nanos + (long) ((after.nanos - before.nanos) * fraction),
          between(before.records, after.records, fraction),
          between(before.cpuNanos, after.cpuNanos, fraction),
          after.heapBytes,
          after.residentBytes,
          between(before.putCpuNanos, after.putCpuNanos, fraction));
    }
  }

  void add(Look look) {
    looks.add(look);
  }

  /** Returns the interpolated reading at which the task had received a number of records. */
  Look at(long records) {
    for (int i = 1; i < looks.size(); i++) {
      Look before = looks.get(i - 1);
      Look after = looks.get(i);
      if (after.records >= records && after.records > before.records) {
        return Look.between(
            before, after, (records - before.records) / (after.records - before.records));
      }
    }
    throw new IllegalStateException("the task was never seen with " + records + " of its records");
  }

  /** Returns the lowest use of the heap from one number of records to another. */
  double leastHeapBytes(long from, long to) {
    return looks.stream()
        .filter(look -> look.records >= from && look.records <= to)
        .mapToDouble(Look::heapBytes)
        .min()
        .orElse(0);
  }

  double peakHeapBytes() {
    return looks.stream().mapToDouble(Look::heapBytes).max().orElse(0);
  }

  double peakResidentBytes() {
    return looks.stream().mapToDouble(Look::residentBytes).max().orElse(0);
  }
}
