package io.tidemark.benchmarks.landing;

import java.util.HashMap;
import java.util.Map;

/**
 * The settings with which {@code raw-copy} makes as many files of the same size as Tidemark did.
 *
 * <p>The file of a record follows from its offset. With Hive partitions in turn, so do the files of
 * {@code raw-copy}. Without them, event times increase from half past an hour over six and a half
 * hours, so an hour is a stretch of offsets. Batches of Tidemark also end by time and by memory;
 * {@code raw-copy} closes files after the mean number of records of Tidemark's batches.
 */
final class SameFiles {
  private static final double HOURS = 6.5;
  private static final String NEVER = Long.toString(Long.MAX_VALUE);

  private SameFiles() {}

  /**
   * Returns the settings.
   *
   * @param consecutive the number of records that the producer writes to a topic-partition before
   *     it goes to the next one
   * @param batches the number of batches of Tidemark over all topic-partitions
   */
  static Map<String, String> settings(Workload workload, int consecutive, long batches) {
    int topicPartitions = workload.allTopicPartitions();
    Map<String, String> settings = new HashMap<>();
    if (workload.hivePartitions() > 0) {
      settings.put("files.in.turn", Integer.toString(workload.hivePartitions()));
    } else {
      double hour = workload.records() / HOURS / topicPartitions;
      settings.put("file.offsets", Long.toString(Math.max(2, Math.round(hour))));
    }
    long ofOne = Math.max(1, Math.round((double) batches / topicPartitions));
    if (ofOne > 1) {
      long stretches = roundedUp(workload.records(), consecutive);
      long most = Math.min(workload.records(), roundedUp(stretches, topicPartitions) * consecutive);
      settings.put("topic-partition.records", Long.toString(roundedUp(most, ofOne)));
      settings.put("batch.records", NEVER);
    }
    // The remaining files are closed when no record arrives for a second.
    settings.put("batch.interval.ms", NEVER);
    settings.put("flush.when.idle", "true");
    return settings;
  }

  private static long roundedUp(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }
}
