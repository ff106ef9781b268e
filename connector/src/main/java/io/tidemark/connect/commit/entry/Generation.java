package io.tidemark.connect.commit.entry;

/**
 * The life of one log for one topic. A topic that is deleted and made again has another id, so it
 * starts the next generation; offsets of different generations have nothing to do with each other.
 *
 * @param number 1 for the first
 * @param clusterId Kafka's cluster id
 * @param topicId Kafka's topic id
 */
public record Generation(int number, String clusterId, String topicId) {

  public Generation {
    if (number < 1) {
      throw new IllegalArgumentException("generation " + number + " (the first is 1)");
    }
  }

  /** The topic that the generation is of. */
  public TopicIdentity topic() {
    return new TopicIdentity(clusterId, topicId);
  }

  public boolean isOf(TopicIdentity topic) {
    return topic().equals(topic);
  }
}
