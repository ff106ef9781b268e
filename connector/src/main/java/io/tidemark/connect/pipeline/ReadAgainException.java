package io.tidemark.connect.pipeline;

import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.Generation;
import io.tidemark.store.commit.TopicIdentity;
import io.tidemark.store.commit.TopicMetadata.RetainedOffsets;

/** Reports that the records which are not committed must be read again, under a new claim. */
final class ReadAgainException extends Exception {
  private static final long serialVersionUID = 1L;

  private ReadAgainException(String message) {
    super(message);
  }

  /** A leader was elected after the claim, so later records may have been truncated. */
  static ReadAgainException ofLeader(
      TopicPartition topicPartition, int claimedUnder, RetainedOffsets now) {
    return new ReadAgainException(
        "%s: the leader epoch was %d when the log was claimed, and is %d with the end offset %d"
            .formatted(topicPartition, claimedUnder, now.leaderEpoch(), now.end()));
  }

  /** Kafka returned the id of another topic: of another cluster, or by an outdated broker. */
  static ReadAgainException ofTopic(
      TopicPartition topicPartition, Generation generation, TopicIdentity now) {
    return new ReadAgainException(
        "%s: the topic was recreated: its id was %s and is now %s in cluster %s"
            .formatted(topicPartition, generation.topicId(), now.topicId(), now.clusterId()));
  }
}
