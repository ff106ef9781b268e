package io.tidemark.benchmarks.landing;

/**
 * What one run of one sink came to. Rates are those of the steady part, from a fifth to nine tenths
 * of the records.
 *
 * @param cpuSecondsPerMillion of the whole worker process
 * @param secondsToRead from the first record to the last
 * @param secondsToCommit from the last record that the task was given to the commit of its offsets
 */
record Round(
    double recordsPerSecond,
    double megabytesPerSecond,
    double cpuSecondsPerMillion,
    double peakHeapMegabytes,
    double peakResidentMegabytes,
    double secondsToRead,
    double secondsToCommit) {}
