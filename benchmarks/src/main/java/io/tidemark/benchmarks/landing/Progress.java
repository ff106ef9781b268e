package io.tidemark.benchmarks.landing;

import java.util.ArrayList;
import java.util.List;

/** What was seen of a run, look by look. Has one owner. */
final class Progress {
  private final List<Look> looks = new ArrayList<>();

  /**
   * What a look at the worker has told.
   *
   * @param nanos when, of {@link System#nanoTime()}
   * @param records how many records the task had been given
   * @param cpuNanos the CPU time of the whole worker process
   * @param heapBytes used then, garbage included
   * @param residentBytes of the whole worker process
   */
  record Look(long nanos, double records, double cpuNanos, double heapBytes, double residentBytes) {

    private static double between(double before, double after, double fraction) {
      return before + (after - before) * fraction;
    }

    /** A look in the middle of two, at a fraction of the way. */
    static Look between(Look before, Look after, double fraction) {
      return new Look(
          before.nanos + (long) ((after.nanos - before.nanos) * fraction),
          between(before.records, after.records, fraction),
          between(before.cpuNanos, after.cpuNanos, fraction),
          after.heapBytes,
          after.residentBytes);
    }
  }

  void add(Look look) {
    looks.add(look);
  }

  /** The moment at which a number of records had been given to the task. */
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

  /** The lowest use of the heap from one number of records to another. */
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
