package io.tidemark.connect.pipeline;

import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.Generation;
import io.tidemark.store.commit.TopicIdentity;

/**
 * Reports that Kafka returned the id of another topic while a batch was being committed, from
 * another cluster or by an outdated broker. The records of the batch are read again.
 */
final class GenerationEndedException extends Exception {
  private static final long serialVersionUID = 1L;

  GenerationEndedException(
      TopicPartition topicPartition, Generation generation, TopicIdentity now) {
    super(
        "%s: the topic was recreated: its id was %s and is now %s in cluster %s"
            .formatted(topicPartition, generation.topicId(), now.topicId(), now.clusterId()));
  }
}
