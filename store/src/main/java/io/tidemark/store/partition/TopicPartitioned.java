package io.tidemark.store.partition;

import java.util.List;

/** A table divided like its topic. Example: {@code partition=3}. */
public record TopicPartitioned() implements PartitionSpec {

  private static final List<String> COLUMNS = List.of("partition");

  @Override
  public List<String> columns() {
    return COLUMNS;
  }

  public static HivePartition of(int topicPartition) {
    return new HivePartition(COLUMNS, List.of(Integer.toString(topicPartition)));
  }
}
