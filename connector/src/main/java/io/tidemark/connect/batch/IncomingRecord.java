package io.tidemark.connect.batch;

import org.jspecify.annotations.Nullable;

/**
 * A record as it was delivered to the task, before it is decoded.
 *
 * @param offset its offset in the topic-partition
 * @param timestamp milliseconds since the epoch, or {@link #NO_TIMESTAMP}
 * @param idHeader the header that may have the schema id; null if there is none
 * @param value null for a record without one
 * @param batchId the id of its announced batch; null if it has none, or if ids are not counted
 * @param delivered the record for the dead letter queue, if there is one
 * @param columns the encoded Kafka columns, which precede its datum in the table; null if there are
 *     none
 * @param key the key, if rows have keys; null if the record has no key, or if rows have none
 */
// Never compared. A copy of the bytes would cost more than all other work on a record.
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

  /** The timestamp of a record without one. */
  public static final long NO_TIMESTAMP = -1;

  /** Creates a record whose row is its datum only. */
  public IncomingRecord(
      long offset,
      long timestamp,
      byte @Nullable [] idHeader,
      byte @Nullable [] value,
      @Nullable BatchId batchId,
      DeliveredRecord delivered) {
    this(offset, timestamp, idHeader, value, batchId, delivered, null, null);
  }

  /** Creates a record whose row is its datum, preceded by columns. */
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

  /** Returns the length of the value in bytes; 0 if there is none. */
  public int valueBytes() {
    return value == null ? 0 : value.length;
  }

  /** Returns the approximate memory in bytes that it takes while it is buffered as delivered. */
  public long bufferedBytes() {
    return (long) valueBytes() + delivered.keptBytes() + (key == null ? 0 : key.bytes().length);
  }
}
