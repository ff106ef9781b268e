package io.tidemark.connect.batch;

import org.apache.kafka.common.TopicPartition;

/** The topic, partition and offset of a record. Example: {@code orders-7@1834502}. */
public record RecordPlace(TopicPartition topicPartition, long offset) {

  @Override
  public String toString() {
    return topicPartition + "@" + offset;
  }
}
