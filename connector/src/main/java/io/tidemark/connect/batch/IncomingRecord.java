package io.tidemark.connect.batch;

import org.jspecify.annotations.Nullable;

/**
 * A record as it came to the task, before anything of it was read.
 *
 * @param offset its offset in the topic-partition
 * @param timestamp in milliseconds since the epoch, or {@link #NO_TIMESTAMP}
 * @param idHeader the header that may have its schema id; null where there is none
 * @param value null for a record without one
 * @param batchId of the announced batch that it belongs to; null where it has none, or where nobody
 *     counts them
 * @param delivered the record as it goes to the dead letter queue, where there is one
 * @param columns what stands in front of its datum in the table; null where nothing does
 * @param key where rows are made of key and value; null where it has none, or where they are not
 */
// Nobody compares these, and a copy of the bytes would cost more than all else that a record costs.
@SuppressWarnings("ArrayRecordComponent")
public record IncomingRecord(
    long offset,
    long timestamp,
    byte @Nullable [] idHeader,
    byte @Nullable [] value,
    @Nullable BatchId batchId,
    DeliveredRecord delivered,
    byte @Nullable [] columns,
    @Nullable RecordKey key) {

  /** Kafka has no time for the record. */
  public static final long NO_TIMESTAMP = -1;

  /** A record whose row is its datum alone. */
  public IncomingRecord(
      long offset,
      long timestamp,
      byte @Nullable [] idHeader,
      byte @Nullable [] value,
      @Nullable BatchId batchId,
      DeliveredRecord delivered) {
    this(offset, timestamp, idHeader, value, batchId, delivered, null, null);
  }

  /** A record whose row is made of its value, with columns in front. */
  public IncomingRecord(
      long offset,
      long timestamp,
      byte @Nullable [] idHeader,
      byte @Nullable [] value,
      @Nullable BatchId batchId,
      DeliveredRecord delivered,
      byte @Nullable [] columns) {
    this(offset, timestamp, idHeader, value, batchId, delivered, columns, null);
  }

  /** The length of the value; 0 where there is none. */
  public int valueBytes() {
    return value == null ? 0 : value.length;
  }

  /** About the memory that it takes while it is kept as it was delivered. */
  public long bufferedBytes() {
    return (long) valueBytes() + delivered.keptBytes() + (key == null ? 0 : key.bytes().length);
  }
}
