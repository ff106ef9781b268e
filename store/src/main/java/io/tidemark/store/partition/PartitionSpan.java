package io.tidemark.store.partition;

import java.time.Instant;

/**
 * The interval of time whose records go to one Hive partition; {@code until} is exclusive.
 *
 * <p>Example: {@code hour=02} on the day on which Berlin's clocks go back spans two hours.
 */
public record PartitionSpan(HivePartition partition, Instant from, Instant until) {

  public boolean contains(Instant time) {
    return !time.isBefore(from) && time.isBefore(until);
  }
}
