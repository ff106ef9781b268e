package io.tidemark.connect.staging;

import io.tidemark.registry.SchemaId;
import io.tidemark.registry.wire.Framing;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.BatchIdCounter;
import io.tidemark.store.batch.DeliveredRecord;
import io.tidemark.store.batch.IncomingRecord;
import io.tidemark.store.batch.RecordPlace;
import io.tidemark.store.batch.RejectedRecord;
import io.tidemark.store.table.Table;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive records of one topic-partition, as their value bytes: the unit of parallel work. The
 * task's thread fills a chunk and passes it to one staging thread. Not thread-safe.
 *
 * <p>A value still contains the bytes before its datum; {@link #framing} is their decoded form.
 */
public final class RecordChunk {
  private static final DeliveredRecord[] NONE_KEPT = {};
  private static final BatchIdCounter[] NONE_COUNTED = {};
  private static final byte[][] NO_COLUMNS = {};

  // The header of the value's array, its framing, and its elements in the arrays here.
  private static final int RECORD_BYTES = 64;
  private static final int COUNTER_BYTES = 8;
  private static final int COLUMNS_BYTES = 24;

  private final TopicPartition topicPartition;
  private long[] offsets;
  private long[] timestamps;
  private Framing[] framings;
  private byte[][] values;
  private DeliveredRecord[] delivered = NONE_KEPT;
  private @Nullable BatchIdCounter[] counters = NONE_COUNTED;
  private byte[][] columns = NO_COLUMNS;
  private int size;
  private long bytes;
  private long keptBytes;

  public RecordChunk(TopicPartition topicPartition, int expectedRecords) {
    this.topicPartition = topicPartition;
    this.offsets = new long[expectedRecords];
    this.timestamps = new long[expectedRecords];
    this.framings = new Framing[expectedRecords];
    this.values = new byte[expectedRecords][];
  }

  /** Adds a record with a value; all records of a chunk keep their delivered record, or none. */
  public void add(IncomingRecord record, Framing framing) {
    byte[] value = Objects.requireNonNull(record.value());
    if (size == offsets.length) {
      int capacity = Math.max(16, size * 2);
      offsets = Arrays.copyOf(offsets, capacity);
      timestamps = Arrays.copyOf(timestamps, capacity);
      framings = Arrays.copyOf(framings, capacity);
      values = Arrays.copyOf(values, capacity);
    }
    offsets[size] = record.offset();
    timestamps[size] = record.timestamp();
    framings[size] = framing;
    values[size] = value;
    if (record.delivered() != DeliveredRecord.NOT_KEPT) {
      keep(record.delivered());
    }
    if (record.columns() != null) {
      keep(record.columns());
    }
    size++;
    bytes += value.length;
  }

  /** Sets the counter, for its announced batch, of the record that was added last. */
  public void countLast(BatchIdCounter counter) {
    if (counters.length < size) {
      counters = Arrays.copyOf(counters, offsets.length);
    }
    counters[size - 1] = counter;
    keptBytes += COUNTER_BYTES;
  }

  /** Counts a record for its announced batch in a table, named as {@code database.table}. */
  public void goesTo(int index, String table) {
    BatchIdCounter counter = index < counters.length ? counters[index] : null;
    if (counter != null) {
      counter.goesTo(table);
    }
  }

  private void keep(DeliveredRecord record) {
    if (delivered.length <= size) {
      delivered = Arrays.copyOf(delivered, offsets.length);
    }
    delivered[size] = record;
    keptBytes += record.keptBytes();
  }

  /** Keeps a record's columns. Either all records of a chunk have columns, or none. */
  private void keep(byte[] itsColumns) {
    if (columns.length <= size) {
      columns = Arrays.copyOf(columns, offsets.length);
    }
    columns[size] = itsColumns;
    keptBytes += COLUMNS_BYTES + itsColumns.length;
  }

  /**
   * Divides the records by table; the order of each table's records is kept. Plans and blocks could
   * otherwise change with each record. Returns the chunk itself if all records go to one table.
   */
  List<RecordChunk> byTable(Bindings bindings) {
    if (bindings.toOneTable()) {
      return List.of(this);
    }
    Map<SchemaId, IntStream.Builder> byId = new LinkedHashMap<>();
    Map<Table, IntStream.Builder> byTable = new LinkedHashMap<>();
    IntStream.Builder last = null;
    for (int i = 0; i < size; i++) {
      IntStream.Builder part =
          last != null && schemaAsBefore(i)
              ? last
              : byId.computeIfAbsent(
                  schemaId(i),
                  id ->
                      byTable.computeIfAbsent(
                          bindings.require(id).table(), table -> IntStream.builder()));
      part.add(i);
      last = part;
    }
    return byTable.size() <= 1
        ? List.of(this)
        : byTable.values().stream().map(part -> part(part.build().toArray())).toList();
  }

  /** Returns the records from an index on; empty if there are none. */
  List<RecordChunk> from(int index) {
    return index == size ? List.of() : List.of(part(IntStream.range(index, size).toArray()));
  }

  /** Returns a chunk of some of the records, in the same order. */
  private RecordChunk part(int[] indices) {
    RecordChunk part = new RecordChunk(topicPartition, indices.length);
    part.size = indices.length;
    part.delivered = delivered.length == 0 ? delivered : new DeliveredRecord[indices.length];
    part.counters = counters.length == 0 ? counters : new BatchIdCounter[indices.length];
    part.columns = columns.length == 0 ? columns : new byte[indices.length][];
    for (int i = 0; i < indices.length; i++) {
      int index = indices[i];
      part.offsets[i] = offsets[index];
      part.timestamps[i] = timestamps[index];
      part.framings[i] = framings[index];
      part.values[i] = values[index];
      part.bytes += values[index].length;
      if (delivered.length > 0) {
        part.delivered[i] = delivered[index];
      }
      if (index < counters.length) {
        part.counters[i] = counters[index];
      }
      if (columns.length > 0) {
        part.columns[i] = columns[index];
      }
    }
    return part;
  }

  public TopicPartition topicPartition() {
    return topicPartition;
  }

  public int size() {
    return size;
  }

  /** Returns the memory of the chunk in bytes: the values, and the data that is kept with them. */
  public long bufferedBytes() {
    return bytes + keptBytes + (long) size * RECORD_BYTES;
  }

  public long offset(int index) {
    return offsets[index];
  }

  public long timestamp(int index) {
    return timestamps[index];
  }

  public Framing framing(int index) {
    return framings[index];
  }

  /** Returns whether a record, except the first, has the schema id of the previous one. */
  // Records with equal framings mostly share the object.
  @SuppressWarnings("ReferenceEquality")
  public boolean schemaAsBefore(int index) {
    Framing framing = framings[index];
    Framing before = framings[index - 1];
    return framing == before || framing.id().equals(before.id());
  }

  public SchemaId schemaId(int index) {
    return framings[index].id();
  }

  public byte[] value(int index) {
    return values[index];
  }

  /** Returns the columns that precede a record's datum in the table; null if there are none. */
  public byte @Nullable [] columns(int index) {
    return columns.length == 0 ? null : columns[index];
  }

  public RejectedRecord rejected(int index, RejectedRecord.Kind kind, String reason) {
    DeliveredRecord record = delivered.length == 0 ? DeliveredRecord.NOT_KEPT : delivered[index];
    BatchIdCounter counter = index < counters.length ? counters[index] : null;
    return new RejectedRecord(
        new RecordPlace(topicPartition, offsets[index]),
        kind,
        reason,
        record,
        (long) values[index].length + record.keptBytes() + reason.length(),
        Optional.ofNullable(counter));
  }
}
