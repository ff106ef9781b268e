package io.tidemark.store.commit;

/**
 * The part of a log that belongs to one topic id of Kafka. A recreated topic has another id, so it
 * starts the next generation. Offsets of different generations are unrelated.
 */
public record Generation(int number, String clusterId, String topicId) {

  public Generation {
    if (number < 1) {
      throw new IllegalArgumentException(
          "the number of a generation must be at least 1: " + number);
    }
  }

  public TopicIdentity topic() {
    return new TopicIdentity(clusterId, topicId);
  }

  public boolean isOf(TopicIdentity topic) {
    return topic().equals(topic);
  }
}
