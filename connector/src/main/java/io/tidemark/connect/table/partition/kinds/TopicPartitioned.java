package io.tidemark.connect.table.partition.kinds;

import io.tidemark.connect.table.partition.HivePartition;
import io.tidemark.connect.table.partition.PartitionSpec;
import java.util.List;

/**
 * A table divided as its topic is: a record lies where its topic-partition's number points.
 *
 * <p>Example: {@code partition=3}
 */
public record TopicPartitioned() implements PartitionSpec {

  private static final List<String> COLUMNS = List.of("partition");

  @Override
  public List<String> columns() {
    return COLUMNS;
  }

  @Override
  public List<String> fieldPaths() {
    return List.of();
  }

  /** Where the records of a topic-partition lie. */
  public static HivePartition of(int topicPartition) {
    return new HivePartition(COLUMNS, List.of(Integer.toString(topicPartition)));
  }
}
