package io.tidemark.store.partition;

import java.time.Instant;

/** The time whose records go to one Hive partition; {@code until} is exclusive. */
public record PartitionSpan(HivePartition partition, Instant from, Instant until) {

  public boolean contains(Instant time) {
    return !time.isBefore(from) && time.isBefore(until);
  }
}
