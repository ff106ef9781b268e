package io.tidemark.store.partition;

import io.tidemark.partitioner.PartitionedRecord;
import io.tidemark.partitioner.Partitioner;
import io.tidemark.partitioner.UnusableRecordException;
import java.util.List;
import java.util.Map;

/** A partitioner class of a user: by the topic and the length of a field named {@code key}. */
public final class ByLength implements Partitioner {

  /** Records with this key have no Hive partition. */
  public static final String NOWHERE = "nowhere";

  /** The class fails on records with this key. */
  public static final String BUG = "bug";

  /** The class returns too few values for records with this key. */
  public static final String ONE_VALUE = "one";

  private int step = 1;

  @Override
  public void configure(Map<String, String> settings) {
    step = Integer.parseInt(settings.getOrDefault("step", "1"));
    if (step < 1) {
      throw new IllegalArgumentException("step=" + step + ": it must be 1 or more");
    }
  }

  @Override
  public List<String> columns() {
    return List.of("source", "length");
  }

  @Override
  public List<String> fields() {
    return List.of("key");
  }

  @Override
  public List<String> values(PartitionedRecord record) throws UnusableRecordException {
    String key = record.field(0).orElse("");
    return switch (key) {
      case NOWHERE -> throw new UnusableRecordException("the key says that it belongs nowhere");
      case BUG -> throw new UnsupportedOperationException("a bug");
      case ONE_VALUE -> List.of("one");
      default ->
          List.of(
              record.topic() + "-" + record.topicPartition(),
              String.valueOf(key.length() / step * step));
    };
  }
}
