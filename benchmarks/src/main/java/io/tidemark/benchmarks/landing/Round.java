package io.tidemark.benchmarks.landing;

/**
 * What one run of one sink came to. Rates are those of the steady part, from a fifth to nine tenths
 * of the records.
 *
 * @param mebibytesPerCpuSecond of the values, by the CPU time of the whole worker process
 * @param cpuSecondsPerMillion of the whole worker process
 * @param leastHeapMegabytes the lowest use of the heap in the steady part: what is alive, and what
 *     little garbage has come since the last collection
 * @param secondsToRead from the first record to the last
 * @param secondsToCommit from the last record that the task was given to the commit of its offsets
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

  /** Records a second from the first that was read to the commit of the last. */
  double landedPerSecond(long records) {
    return records / (secondsToRead + secondsToCommit);
  }
}
