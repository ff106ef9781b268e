package io.tidemark.connect.table.partition.kinds;

import io.tidemark.avro.plan.TableDatums;
import io.tidemark.connect.table.partition.DatumPartitions;
import io.tidemark.connect.table.partition.FieldPartitions;
import io.tidemark.connect.table.partition.HivePartition;
import io.tidemark.connect.table.partition.PartitionAssigner;
import io.tidemark.connect.table.partition.PartitionField;
import io.tidemark.connect.table.partition.UnusablePartitionException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * The Hive partitions of datums by their fields and their time, made once for each pair of the two.
 * Not thread-safe: each worker has one of its own.
 */
public final class FieldAndTimePartitions implements DatumPartitions {
  private static final int KEPT = 1 << 13;

  private final FieldPartitions byField;
  private final PartitionAssigner byTime;
  private final Map<Pair, HivePartition> known = new HashMap<>();
  private Pair lastPair = new Pair(HivePartition.WHOLE_TABLE, HivePartition.WHOLE_TABLE);
  private HivePartition last = HivePartition.WHOLE_TABLE;

  /** What the fields lead to, and what the time does. */
  private record Pair(HivePartition ofFields, HivePartition ofTime) {}

  /** Makes one that knows nothing yet; {@code fields} are the first fields that a plan finds. */
  public FieldAndTimePartitions(FieldAndTimePartitioned spec, List<PartitionField> fields) {
    this.byField = new FieldPartitions(spec.byField(), fields);
    this.byTime = spec.byTime().assigner();
  }

  // Both mostly give the same object for the same Hive partition, and comparing identities is
  // quick.
  @SuppressWarnings("ReferenceEquality")
  @Override
  public HivePartition assign(TableDatums datums, int datum, TopicPartition from, long epochMillis)
      throws UnusablePartitionException {
    HivePartition ofFields = byField.assign(datums, datum);
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
