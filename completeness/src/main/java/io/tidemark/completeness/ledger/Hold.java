package io.tidemark.completeness.ledger;

import java.time.Instant;
import java.util.Optional;

/**
 * Offsets that prevent snapshots from being covered until an operator acknowledges the hold. A hold
 * affects a snapshot if one of the offsets is below the snapshot's end offset.
 *
 * @param topicPartition the number of the topic-partition, or {@link #ALL}
 * @param to the offset after the last one
 * @param hivePartition the Hive partition in which the records landed, for {@link HoldKind#UNSEEN}
 * @param acknowledged the operator's reason, once the hold is acknowledged
 * @param acknowledgedAt when it was acknowledged. After a {@link HoldKind#GAP} the ledger continues
 *     only at an account that was put later
 */
public record Hold(
    HoldKind kind,
    String topic,
    int topicPartition,
    String topicId,
    long from,
    long to,
    Optional<HivePartitionId> hivePartition,
    Optional<String> acknowledged,
    Optional<Instant> acknowledgedAt) {

  /** All topic-partitions of the topic. */
  public static final int ALL = -1;

  public Hold {
    if (topicPartition < ALL || from < 0 || to < from) {
      throw new IllegalArgumentException(
          "not a hold: %s of %s-%d from %d to %d".formatted(kind, topic, topicPartition, from, to));
    }
    if (hivePartition.isPresent() != (kind == HoldKind.UNSEEN)) {
      throw new IllegalArgumentException(
          "a hold of %s is of the kind %s".formatted(hivePartition, kind));
    }
  }

  public Hold(HoldKind kind, String topic, int topicPartition, String topicId, long from, long to) {
    this(
        kind,
        topic,
        topicPartition,
        topicId,
        from,
        to,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  public Hold acknowledgedFor(String reason, Instant at) {
    return new Hold(
        kind,
        topic,
        topicPartition,
        topicId,
        from,
        to,
        hivePartition,
        Optional.of(reason),
        Optional.of(at));
  }

  public boolean open() {
    return acknowledged.isEmpty();
  }

  /** Returns whether the log of this topic-partition does not continue at the ledger's position. */
  public boolean isGap(String ofTopic, int ofTopicPartition) {
    return kind == HoldKind.GAP && topic.equals(ofTopic) && topicPartition == ofTopicPartition;
  }
}
