package io.tidemark.completeness.ledger;

import java.util.List;
import java.util.UUID;

/**
 * A pointer into the commit log of a topic-partition: all entries up to {@code number} are settled,
 * that is, their files are published and their Hive partitions are registered.
 *
 * @param number the number of the newest settled entry
 * @param attempt the attempt that appended it: a log that was restored from a copy has another
 * @param since the first entry of which the task knows whether readers see its Hive partitions
 * @param unseen the Hive partitions of the entries since then, or of a whole registered table, that
 *     readers do not see: the catalog has them at another location, or lacks the table
 */
public record LogPointer(
    String topic,
    int topicPartition,
    long number,
    UUID attempt,
    long since,
    List<HivePartitionId> unseen) {
  /** The most Hive partitions in {@code unseen}. If there are more, the catalog is asked. */
  public static final int UNSEEN_MOST = 10_000;

  public LogPointer {
    unseen = List.copyOf(unseen);
    if (topicPartition < 0 || number < 1 || since < 1 || unseen.size() > UNSEEN_MOST) {
      throw new IllegalArgumentException(
          "not a pointer into a log: topic-partition %d, entry %d, %d Hive partitions since %d"
              .formatted(topicPartition, number, unseen.size(), since));
    }
  }
}
