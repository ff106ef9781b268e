package io.tidemark.benchmarks.landing;

import io.tidemark.benchmarks.landing.threads.ThreadKind;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The results of one run of one sink. Rates are of the steady part, from a fifth to nine tenths of
 * the records.
 *
 * @param mebibytesPerCpuSecond MiB of values for each second of the worker process's CPU time
 * @param cpuSecondsPerMillion CPU seconds of the worker process for a million records
 * @param wholeCpuSecondsPerMillion the same from the first record to the commit of the last, with
 *     the last flush
 * @param leastHeapMegabytes the lowest use of the heap in the steady part: live objects, and a
 *     little garbage since the last collection
 * @param secondsToRead the time from the first record to the last
 * @param secondsToCommit the time from the last record that the task received to the commit of its
 *     offsets
 * @param files what the sink did in the store, if it was counted
 * @param threads where the CPU time went, if the threads were read
 */
record Round(
    double recordsPerSecond,
    double megabytesPerSecond,
    double mebibytesPerCpuSecond,
    double cpuSecondsPerMillion,
    double wholeCpuSecondsPerMillion,
    double leastHeapMegabytes,
    double peakHeapMegabytes,
    double peakResidentMegabytes,
    double secondsToRead,
    double secondsToCommit,
    FileWork files,
    ThreadWork threads) {

  /**
   * The files of a run.
   *
   * @param files the number of files with records
   * @param batches the number of batches over all topic-partitions; 0 if the sink reports none
   * @param nameNodeCalls the calls of all clients of the name node, from the start of the sink to
   *     the commit of the last record and what follows it, by name
   */
  record FileWork(long files, long batches, Map<String, Long> nameNodeCalls) {
    static final FileWork NOT_COUNTED = new FileWork(0, 0, Map.of());

    FileWork {
      nameNodeCalls = Map.copyOf(nameNodeCalls);
    }

    long calls() {
      return NameNodeWork.total(nameNodeCalls);
    }
  }

  /**
   * CPU seconds of the worker's threads for a million records in the steady part.
   *
   * @param put those of the task's {@code put()}, which are also in {@link ThreadKind#TASK}; empty
   *     if the sink does not report them
   */
  record ThreadWork(Map<ThreadKind, Double> cpuSecondsPerMillion, OptionalDouble put) {
    static final ThreadWork NOT_READ = new ThreadWork(Map.of(), OptionalDouble.empty());

    ThreadWork {
      cpuSecondsPerMillion = Map.copyOf(cpuSecondsPerMillion);
    }

    double of(ThreadKind kind) {
      return cpuSecondsPerMillion.getOrDefault(kind, 0.0);
    }
  }

  /** Returns the records a second from the first record read to the commit of the last. */
  double landedPerSecond(long records) {
    return records / (secondsToRead + secondsToCommit);
  }
}
