package io.tidemark.connect.commit.entry;

import org.apache.kafka.common.Uuid;

/** Distinguishes a topic from topics of the same name in other clusters or before a deletion. */
public record TopicIdentity(String clusterId, String topicId) {

  /** Returns whether both ids are known: old brokers return no topic id, or zero. */
  public boolean known() {
    return !clusterId.isEmpty() && !topicId.isEmpty() && !topicId.equals(Uuid.ZERO_UUID.toString());
  }
}
