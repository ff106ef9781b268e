package io.tidemark.connect.commit.entry;

import org.apache.kafka.common.Uuid;

/** A topic, apart from others of the same name in other clusters or earlier lives. */
public record TopicIdentity(String clusterId, String topicId) {

  /** Whether it can be told from another one: old brokers answer no id, or a zero for it. */
  public boolean known() {
    return !clusterId.isEmpty() && !topicId.isEmpty() && !topicId.equals(Uuid.ZERO_UUID.toString());
  }
}
