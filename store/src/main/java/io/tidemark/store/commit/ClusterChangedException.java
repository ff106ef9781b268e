package io.tidemark.store.commit;

import io.tidemark.store.StoragePath;
import io.tidemark.store.log.LogRefusedException;
import io.tidemark.store.log.OperatorConsent;
import java.util.UUID;

/**
 * Reports that the topic's Kafka cluster differs from the cluster whose records are in the log. If
 * the topic is a copy, its records would land a second time.
 */
public final class ClusterChangedException extends LogRefusedException {
  private static final long serialVersionUID = 1L;

  ClusterChangedException(StoragePath log, Generation landed, TopicIdentity now) {
    super(
        ("%s: the log has landed the topic of the Kafka cluster %s (topic id %s), but now Kafka is the cluster %s (topic "
                + "id %s). If this topic is a mirror or a restored copy of that one, its records would land "
                + "a second time. Set kafka.bootstrap.servers and the worker's brokers to the cluster %s; or land the new "
                + "topic with a connector with another log.id, topics.dir and hive.table.name. If none of its records has "
                + "landed, and the same table is to have all of them, beginning at Kafka's first offset, set "
                + "operator.consent=%s. This step cannot be undone: the log then permanently rejects the topic of the cluster %s.")
            .formatted(
                log,
                landed.clusterId(),
                landed.topicId(),
                now.clusterId(),
                now.topicId(),
                landed.clusterId(),
                step(log, landed, now),
                landed.clusterId()));
  }

  /** The step to which an operator may consent: the other cluster's topic begins a generation. */
  static UUID step(StoragePath log, Generation landed, TopicIdentity now) {
    return OperatorConsent.step("cluster", log, landed.clusterId(), now.clusterId());
  }
}
