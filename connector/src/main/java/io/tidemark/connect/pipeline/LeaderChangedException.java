package io.tidemark.connect.pipeline;

import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.TopicMetadata.RetainedOffsets;

/**
 * Reports a leader election after the claim of a log, or the answer of a deposed leader. Records
 * that were read after the claim may have been truncated, so they are discarded and read again.
 */
final class LeaderChangedException extends Exception {
  private static final long serialVersionUID = 1L;

  LeaderChangedException(TopicPartition topicPartition, int claimedUnder, RetainedOffsets now) {
    super(
        "%s: the leader epoch was %d when the log was claimed, and is %d with the end offset %d"
            .formatted(topicPartition, claimedUnder, now.leaderEpoch(), now.end()));
  }
}
