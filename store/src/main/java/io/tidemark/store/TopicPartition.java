package io.tidemark.store;

/** A partition of a topic of Kafka; {@code partition} is its number, from 0. */
public record TopicPartition(String topic, int partition) {

  /** Example: {@code orders-7}. */
  @Override
  public String toString() {
    return topic + "-" + partition;
  }
}
