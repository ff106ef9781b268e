package io.tidemark.completeness.ledger;

import java.util.Optional;

/**
 * Offsets that prevent snapshots from being covered until an operator acknowledges the block. A
 * block affects a snapshot if one of the offsets is below the snapshot's end offset.
 *
 * @param topicPartition the number of the topic-partition, or {@link #ALL}
 * @param topicId the id of the topic that has the offsets
 * @param from the first offset
 * @param to the offset after the last one
 * @param hivePartition the Hive partition in which the records landed, for {@link BlockKind#UNSEEN}
 * @param acknowledged the operator's reason, once the block is acknowledged
 */
public record Block(
    BlockKind kind,
    String topic,
    int topicPartition,
    String topicId,
    long from,
    long to,
    Optional<HivePartitionId> hivePartition,
    Optional<String> acknowledged) {

  /** All topic-partitions of the topic. */
  public static final int ALL = -1;

  public Block {
    if (topicPartition < ALL || from < 0 || to < from) {
      throw new IllegalArgumentException(
          "not a block: %s of %s-%d from %d to %d"
              .formatted(kind, topic, topicPartition, from, to));
    }
    if (hivePartition.isPresent() != (kind == BlockKind.UNSEEN)) {
      throw new IllegalArgumentException(
          "a block of %s is of the kind %s".formatted(hivePartition, kind));
    }
  }

  /** Returns this block as acknowledged. */
  public Block acknowledgedFor(String reason) {
    return new Block(
        kind, topic, topicPartition, topicId, from, to, hivePartition, Optional.of(reason));
  }

  /** Returns whether the block is not acknowledged. */
  public boolean open() {
    return acknowledged.isEmpty();
  }
}
