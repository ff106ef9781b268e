package io.tidemark.store.commit;

/** Distinguishes a topic from topics of the same name in other clusters or before a deletion. */
public record TopicIdentity(String clusterId, String topicId) {
  /** Kafka's text of a topic id of zero bytes. */
  private static final String NO_TOPIC_ID = "AAAAAAAAAAAAAAAAAAAAAA";

  /** Returns whether both ids are known: old brokers return no topic id, or zero. */
  public boolean known() {
    return !clusterId.isEmpty() && !topicId.isEmpty() && !topicId.equals(NO_TOPIC_ID);
  }
}
