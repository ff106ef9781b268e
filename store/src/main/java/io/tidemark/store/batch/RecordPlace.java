package io.tidemark.store.batch;

import io.tidemark.store.TopicPartition;

/** The topic, partition and offset of a record. Example: {@code orders-7@1834502}. */
public record RecordPlace(TopicPartition topicPartition, long offset) {

  @Override
  public String toString() {
    return topicPartition + "@" + offset;
  }
}
