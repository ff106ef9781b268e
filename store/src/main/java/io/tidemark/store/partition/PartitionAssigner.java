package io.tidemark.store.partition;

/** Computes the Hive partition of a time. Not thread-safe: each thread has its own instance. */
@FunctionalInterface
public interface PartitionAssigner {

  /**
   * Returns the Hive partition of a time.
   *
   * @param epochMillis milliseconds since 1970-01-01T00:00Z
   * @throws UnusableTimestampException the time is outside the years 1 to 9999 of the table's zone
   */
  HivePartition assign(long epochMillis) throws UnusableTimestampException;
}
