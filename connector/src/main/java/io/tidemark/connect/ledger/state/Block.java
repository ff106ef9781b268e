package io.tidemark.connect.ledger.state;

import io.tidemark.connect.ledger.account.HivePartitionId;
import java.util.Optional;

/**
 * Offsets that hold every snapshot which has them, until they are acknowledged.
 *
 * @param topicPartition its number, or {@link #ALL}
 * @param topicId the topic that the offsets are of
 * @param from the first of them
 * @param to the offset after the last of them
 * @param hivePartition where they landed, for {@link BlockKind#UNSEEN}
 * @param acknowledged the operator's reason, once it is acknowledged
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

  /** The topic-partitions of the topic, all of them. */
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

  /** This block as an operator has acknowledged it. */
  public Block acknowledgedFor(String reason) {
    return new Block(
        kind, topic, topicPartition, topicId, from, to, hivePartition, Optional.of(reason));
  }

  /** Whether it still holds something. */
  public boolean open() {
    return acknowledged.isEmpty();
  }
}
