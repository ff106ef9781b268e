package io.tidemark.store.batch;

import org.jspecify.annotations.Nullable;

/**
 * A record as it was delivered to the task, before it is decoded. What it does not have is null.
 *
 * @param timestamp milliseconds since the epoch, or {@link #NO_TIMESTAMP}
 * @param idHeader the header that may have the schema id
 * @param batchId the id of the record's announced batch, if ids are counted
 * @param delivered the record for the dead letter topic, if there is one
 * @param columns the encoded Kafka columns, which precede the record's datum in the table
 * @param key the key, if rows contain the key
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

  public static final long NO_TIMESTAMP = -1;

  public int valueBytes() {
    return value == null ? 0 : value.length;
  }

  /** The approximate memory that the record uses while it is buffered as delivered. */
  public long bufferedBytes() {
    return (long) valueBytes() + delivered.keptBytes() + (key == null ? 0 : key.bytes().length);
  }
}
