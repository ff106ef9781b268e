package io.tidemark.store.partition;

import io.tidemark.avro.plan.TableDatums;
import io.tidemark.store.TopicPartition;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Hive partitions by fields; each combination of values is formatted once. Not thread-safe. */
public final class FieldPartitions implements DatumPartitions {
  private static final int KEPT = 1 << 13;
  private static final int FIRST_KEY_BYTES = 256;

  private final List<String> columns;
  private final List<PartitionField> fields;
  private final Map<ByteBuffer, HivePartition> known = new HashMap<>();

  // The values' bytes of the current datum, and of the previous one: neighbours are often equal.
  private byte[] key = new byte[FIRST_KEY_BYTES];
  private byte[] lastKey = new byte[FIRST_KEY_BYTES];
  private int lastKeyLength = -1;
  private HivePartition last = HivePartition.WHOLE_TABLE;

  /** The plan records positions of fields: the first are those of {@code fields}, in order. */
  public FieldPartitions(FieldPartitioned spec, List<PartitionField> fields) {
    this.columns = spec.columns();
    this.fields = List.copyOf(fields);
  }

  @Override
  public HivePartition assign(TableDatums datums, int datum, TopicPartition from, long epochMillis)
      throws UnusablePartitionException {
    int length = copyKey(datums, datum);
    if (length == lastKeyLength && Arrays.equals(key, 0, length, lastKey, 0, length)) {
      return last;
    }
    ByteBuffer wanted = ByteBuffer.wrap(Arrays.copyOf(key, length));
    HivePartition found = known.get(wanted);
    if (found == null) {
      found = make(datums, datum);
      if (known.size() >= KEPT) {
        known.clear();
      }
      known.put(wanted, found);
    }
    byte[] spare = lastKey;
    lastKey = key;
    lastKeyLength = length;
    key = spare;
    last = found;
    return found;
  }

  /**
   * Copies the values to the key, and returns the key's length. Each value is a byte that is 1 if
   * the value is present, and then the value's own bytes, which are self-delimiting.
   */
  private int copyKey(TableDatums datums, int datum) {
    int length = 0;
    for (int field = 0; field < fields.size(); field++) {
      boolean present = datums.hasField(datum, field);
      int valueLength = present ? datums.fieldLength(datum, field) : 0;
      if (length + 1 + valueLength > key.length) {
        key = Arrays.copyOf(key, 2 * (length + 1 + valueLength));
      }
      key[length++] = (byte) (present ? 1 : 0);
      if (present) {
        System.arraycopy(
            datums.bytes(), datums.fieldOffset(datum, field), key, length, valueLength);
        length += valueLength;
      }
    }
    return length;
  }

  private HivePartition make(TableDatums datums, int datum) throws UnusablePartitionException {
    List<String> values = new ArrayList<>(fields.size());
    for (int field = 0; field < fields.size(); field++) {
      values.add(fields.get(field).text(datums, datum, field).orElse(HivePartition.DEFAULT_VALUE));
    }
    return HivePartition.of(columns, values);
  }
}
