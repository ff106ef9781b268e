package io.tidemark.benchmarks.landing;

/**
 * The results of one run of one sink. Rates are of the steady part, from a fifth to nine tenths of
 * the records.
 *
 * @param mebibytesPerCpuSecond MiB of values for each second of the worker process's CPU time
 * @param cpuSecondsPerMillion CPU seconds of the worker process for a million records
 * @param leastHeapMegabytes the lowest use of the heap in the steady part: live objects, and a
 *     little garbage since the last collection
 * @param secondsToRead the time from the first record to the last
 * @param secondsToCommit the time from the last record that the task received to the commit of its
 *     offsets
 */
record Round(
    double recordsPerSecond,
    double megabytesPerSecond,
    double mebibytesPerCpuSecond,
    double cpuSecondsPerMillion,
    double leastHeapMegabytes,
    double peakHeapMegabytes,
    double peakResidentMegabytes,
    double secondsToRead,
    double secondsToCommit) {

  /** Returns the records a second from the first record read to the commit of the last. */
  double landedPerSecond(long records) {
    return records / (secondsToRead + secondsToCommit);
  }
}
