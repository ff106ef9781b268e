package io.tidemark.store.commit;

import io.tidemark.store.StoragePath;

/**
 * Reports that Kafka returned the id of an earlier topic of the log. Kafka never reuses topic ids,
 * so the topic was recreated and the broker's metadata is outdated. A cluster that was restored
 * from an older copy returns the earlier id permanently.
 */
public final class FormerTopicException extends KafkaUnavailableException {
  private static final long serialVersionUID = 1L;

  FormerTopicException(StoragePath log, Generation present, TopicIdentity answered) {
    super(
        "%s: Kafka returned the topic id %s (cluster %s), which an earlier generation of the log had; generation %d has replaced it with the topic id %s (cluster %s). The broker's metadata is outdated: the topic was recreated since. The task asks Kafka again."
            .formatted(
                log,
                answered.topicId(),
                answered.clusterId(),
                present.number(),
                present.topicId(),
                present.clusterId()));
  }
}
