package io.tidemark.completeness.ledger;

import java.time.Instant;
import java.util.Optional;

/**
 * The total of a Hive partition to which the ledger still adds; when its last completion was
 * recorded, by the reckoner's clock; and whether files were added since then.
 */
public record OpenTotal(HivePartitionTotal total, Optional<Instant> completedAt, boolean changed) {

  /** Returns this total, counted anew: the ledger no longer knows all files. */
  public OpenTotal restarted() {
    HivePartitionTotal none =
        new HivePartitionTotal(
            total.table(), total.hivePartition(), total.from(), total.until(), 0, 0, 0, 0, true);
    return new OpenTotal(none, completedAt, changed);
  }
}
