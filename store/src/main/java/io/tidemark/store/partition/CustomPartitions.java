package io.tidemark.store.partition;

import io.tidemark.avro.plan.TableDatums;
import io.tidemark.partitioner.PartitionedRecord;
import io.tidemark.partitioner.Partitioner;
import io.tidemark.partitioner.UnusableRecordException;
import io.tidemark.store.PrintableText;
import io.tidemark.store.TopicPartition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The Hive partitions of datums by a user's class. Not thread-safe. */
public final class CustomPartitions implements DatumPartitions {
  private static final int KEPT = 1 << 13;

  private final CustomPartitioned spec;
  private final Partitioner partitioner;
  private final List<PartitionField> fields;
  private final Map<List<String>, HivePartition> known = new HashMap<>();
  private List<String> lastValues = List.of();
  private HivePartition last = HivePartition.WHOLE_TABLE;

  /** See {@link FieldPartitions} for {@code fields}. */
  public CustomPartitions(CustomPartitioned spec, List<PartitionField> fields) {
    this.spec = spec;
    this.partitioner = spec.partitioner();
    this.fields = List.copyOf(fields);
  }

  @Override
  public HivePartition assign(TableDatums datums, int datum, TopicPartition from, long epochMillis)
      throws UnusablePartitionException {
    List<String> values = values(new CurrentRecord(fields, datums, datum, from, epochMillis), from);
    if (values.equals(lastValues)) {
      return last;
    }
    HivePartition found = known.get(values);
    if (found == null) {
      found = HivePartition.of(spec.columns(), values);
      if (known.size() >= KEPT) {
        known.clear();
      }
      known.put(found.values(), found);
    }
    lastValues = values;
    last = found;
    return found;
  }

  private List<String> values(PartitionedRecord record, TopicPartition from)
      throws UnusablePartitionException {
    List<String> values;
    try {
      values = List.copyOf(partitioner.values(record));
    } catch (UnusableRecordException e) {
      throw new UnusablePartitionException(String.valueOf(e.getMessage()));
    } catch (RuntimeException | LinkageError e) {
      throw failed(from, "fails on a record: " + PrintableText.of(e), e);
    }
    if (values.size() != spec.columns().size()) {
      throw failed(
          from,
          "returns %d values for the %d columns %s"
              .formatted(values.size(), spec.columns().size(), spec.columns()),
          null);
    }
    for (String value : values) {
      if (value.indexOf('\0') >= 0 || value.equals(HivePartition.DEFAULT_VALUE)) {
        throw new UnusablePartitionException(
            "%s returns the value \"%s\", which Hive cannot store. Correct the producer, or the class."
                .formatted(spec.className(), PrintableText.of(value)));
      }
    }
    return values;
  }

  /** Not bad data: the class would fail on the next record too. */
  private IllegalStateException failed(
      TopicPartition from, String problem, @Nullable Throwable cause) {
    return new IllegalStateException(
        "partitioner.class=%s %s (of %s). Correct the class, put its jar into the plugin's directory on every worker, and restart the workers. For a record without a Hive partition the class must throw an UnusableRecordException."
            .formatted(spec.className(), problem, from),
        cause);
  }

  /** The record of one call. */
  private record CurrentRecord(
      List<PartitionField> fields, TableDatums rows, int datum, TopicPartition from, long timestamp)
      implements PartitionedRecord {
    @Override
    public String topic() {
      return from.topic();
    }

    @Override
    public int topicPartition() {
      return from.partition();
    }

    @Override
    public Optional<String> field(int index) throws UnusableRecordException {
      try {
        return fields.get(index).text(rows, datum, index);
      } catch (UnusablePartitionException e) {
        throw new UnusableRecordException(String.valueOf(e.getMessage()));
      }
    }
  }
}
