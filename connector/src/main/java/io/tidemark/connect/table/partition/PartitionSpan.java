package io.tidemark.connect.table.partition;

import java.time.Instant;

/**
 * The times whose records lie in one Hive partition, from one instant to before another.
 *
 * <p>Example: {@code hour=02} of the day on which Berlin's clocks go back holds two hours.
 *
 * @param until no record of this time or of a later one lies there
 */
public record PartitionSpan(HivePartition partition, Instant from, Instant until) {

  /** Whether a time lies between the two ends. */
  public boolean contains(Instant time) {
    return !time.isBefore(from) && time.isBefore(until);
  }
}
