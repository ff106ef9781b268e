package io.tidemark.connect.table.partition;

/** A record's time cannot be read, or no Hive partition can be made of it: the data's fault. */
public final class UnusableTimestampException extends UnusablePartitionException {
  private static final long serialVersionUID = 1L;

  /** 0001-01-01T00:00Z. */
  static final long MIN_EPOCH_MILLIS = -62_135_596_800_000L;

  /** 9999-12-31T23:59:59.999Z. */
  static final long MAX_EPOCH_MILLIS = 253_402_300_799_999L;

  public UnusableTimestampException(String message) {
    super(message);
  }

  /** The same time, when it lies in the years 1 to 9999. */
  static long requireUsable(long epochMillis) throws UnusableTimestampException {
    if (epochMillis < MIN_EPOCH_MILLIS || epochMillis > MAX_EPOCH_MILLIS) {
      throw new UnusableTimestampException(
          epochMillis
              + " ms since 1970 lies outside the years 1 to 9999. The number may be of another"
              + " unit: give the field the logical type timestamp-micros or timestamp-nanos.");
    }
    return epochMillis;
  }
}
