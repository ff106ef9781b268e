package io.tidemark.store.partition;

import io.tidemark.store.PrintableText;

/** A record is bad data: its values or its time cannot name a Hive partition. */
public final class UnusablePartitionException extends Exception {
  private static final long serialVersionUID = 1L;

  /** 0001-01-01T00:00Z. */
  static final long MIN_EPOCH_MILLIS = -62_135_596_800_000L;

  /** 9999-12-31T23:59:59.999Z. */
  static final long MAX_EPOCH_MILLIS = 253_402_300_799_999L;

  /** The largest difference between a zone's time and UTC. */
  private static final long MAX_OFFSET_MILLIS = 18 * 3_600_000L;

  public UnusablePartitionException(String message) {
    super(PrintableText.line(message));
  }

  /** Returns the same instant, if it can be in the years 1 to 9999 of some zone. */
  static long requireInstant(long epochMillis) throws UnusablePartitionException {
    return require(epochMillis, MAX_OFFSET_MILLIS);
  }

  /** Returns the same local time, as if it were in UTC, if it is in the years 1 to 9999. */
  static long requireUsable(long localMillis) throws UnusablePartitionException {
    return require(localMillis, 0);
  }

  private static long require(long millis, long tolerance) throws UnusablePartitionException {
    if (millis < MIN_EPOCH_MILLIS - tolerance || millis > MAX_EPOCH_MILLIS + tolerance) {
      throw new UnusablePartitionException(
          millis
              + " ms since 1970 is outside the years 1 to 9999. The number may have another unit: set timestamp.unit, or give the field the logical type timestamp-micros or timestamp-nanos.");
    }
    return millis;
  }
}
