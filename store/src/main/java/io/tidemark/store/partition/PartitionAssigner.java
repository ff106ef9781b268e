package io.tidemark.store.partition;

/** Computes the Hive partition of a time. Not thread-safe: each thread has its own instance. */
@FunctionalInterface
public interface PartitionAssigner {

  /** The time is in milliseconds since 1970-01-01T00:00Z, in the years 1 to 9999 of the zone. */
  HivePartition assign(long epochMillis) throws UnusablePartitionException;
}
