package io.tidemark.connect.commit;

import io.tidemark.connect.commit.entry.Generation;
import io.tidemark.connect.commit.entry.TopicIdentity;
import io.tidemark.connect.storage.StoragePath;

/**
 * Kafka tells of a topic whose place another one has taken in the log. Ids of topics are never used
 * again, so a broker has answered that has not learned yet that the topic was made again; a cluster
 * that was restored from an older copy of itself answers so for good.
 */
public final class FormerTopicException extends KafkaUnavailableException {
  private static final long serialVersionUID = 1L;

  FormerTopicException(StoragePath log, Generation present, TopicIdentity answered) {
    super(
        log
            + ": Kafka tells of the topic id "
            + answered.topicId()
            + " (cluster "
            + answered.clusterId()
            + "), which an earlier generation of the log had; generation "
            + present.number()
            + " has followed for the topic id "
            + present.topicId()
            + " (cluster "
            + present.clusterId()
            + "). A broker answered that has not learned yet that the topic was made again; it is asked again.");
  }
}
