package io.tidemark.store.partition;

import java.time.Instant;

/**
 * The interval of time whose records go to one Hive partition.
 *
 * <p>Example: {@code hour=02} on the day on which Berlin's clocks go back spans two hours.
 *
 * @param from the first instant, inclusive
 * @param until the end, exclusive
 */
public record PartitionSpan(HivePartition partition, Instant from, Instant until) {

  /** Returns whether a time is in the interval. */
  public boolean contains(Instant time) {
    return !time.isBefore(from) && time.isBefore(until);
  }
}
