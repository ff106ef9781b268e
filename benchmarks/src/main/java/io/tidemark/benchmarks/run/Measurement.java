package io.tidemark.benchmarks.run;

import java.util.Arrays;
import java.util.List;

/**
 * The results of a cell: medians over its forks.
 *
 * @param nsPerRecord wall time divided by the records of all threads
 * @param bytesAllocatedPerRecord bytes allocated on the Java heap
 * @param bytesPerRecord the mean size of the datums
 * @param forks the number of JVMs of the medians
 * @param lowestNsPerRecord the time of the fastest fork
 * @param highestNsPerRecord the time of the slowest fork
 */
record Measurement(
    Cell cell,
    double nsPerRecord,
    double bytesAllocatedPerRecord,
    double bytesPerRecord,
    int forks,
    double lowestNsPerRecord,
    double highestNsPerRecord) {

  /** One fork of a cell. */
  record Fork(double nsPerRecord, double bytesAllocatedPerRecord) {}

  static Measurement of(Cell cell, double bytesPerRecord, List<Fork> forks) {
    double[] times = forks.stream().mapToDouble(Fork::nsPerRecord).sorted().toArray();
    double[] allocated =
        forks.stream().mapToDouble(Fork::bytesAllocatedPerRecord).sorted().toArray();
    return new Measurement(
        cell,
        median(times),
        median(allocated),
        bytesPerRecord,
        forks.size(),
        times[0],
        times[times.length - 1]);
  }

  /** Returns the million bytes of datums a second. */
  double megabytesPerSecond() {
    return bytesPerRecord / nsPerRecord * 1_000;
  }

  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
