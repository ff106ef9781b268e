package io.tidemark.store.partition;

import io.tidemark.avro.plan.TableDatums;
import io.tidemark.store.TopicPartition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Hive partitions by fields and time; each pair is formatted once. Not thread-safe. */
public final class FieldAndTimePartitions implements DatumPartitions {
  private static final int KEPT = 1 << 13;

  private final FieldPartitions byField;
  private final PartitionAssigner byTime;
  private final Map<Pair, HivePartition> known = new HashMap<>();
  private Pair lastPair = new Pair(HivePartition.WHOLE_TABLE, HivePartition.WHOLE_TABLE);
  private HivePartition last = HivePartition.WHOLE_TABLE;

  private record Pair(HivePartition ofFields, HivePartition ofTime) {}

  /** See {@link FieldPartitions} for {@code fields}. */
  public FieldAndTimePartitions(FieldAndTimePartitioned spec, List<PartitionField> fields) {
    this.byField = new FieldPartitions(spec.byField(), fields);
    this.byTime = spec.byTime().assigner();
  }

  // Both calls usually return the same object for one Hive partition: comparing identities is fast.
  @SuppressWarnings("ReferenceEquality")
  @Override
  public HivePartition assign(TableDatums datums, int datum, TopicPartition from, long epochMillis)
      throws UnusablePartitionException {
    HivePartition ofFields = byField.assign(datums, datum, from, epochMillis);
    HivePartition ofTime = byTime.assign(epochMillis);
    if (ofFields == lastPair.ofFields && ofTime == lastPair.ofTime) {
      return last;
    }
    Pair pair = new Pair(ofFields, ofTime);
    HivePartition found = known.get(pair);
    if (found == null) {
      found = ofFields.with(ofTime);
      if (known.size() >= KEPT) {
        known.clear();
      }
      known.put(pair, found);
    }
    lastPair = pair;
    last = found;
    return found;
  }
}
