package io.tidemark.store.table;

import java.util.Optional;

/**
 * The options of one table other than its location and its layout. They may change from one
 * configuration to the next.
 *
 * @param compression empty for the connector's default
 * @param reckoned whether the table's completeness is reported
 * @param successFiles whether a {@code _SUCCESS} file is created in complete Hive partitions
 * @param emptyPartitions whether Hive partitions without records are created
 */
public record TableOptions(
    Optional<Compression> compression,
    boolean reckoned,
    boolean successFiles,
    boolean emptyPartitions) {

  public static final TableOptions DEFAULT = new TableOptions(Optional.empty(), true, true, false);

  /** Returns whether topics can share the table; their compression may differ. */
  public boolean agreesWith(TableOptions other) {
    return reckoned == other.reckoned
        && successFiles == other.successFiles
        && emptyPartitions == other.emptyPartitions;
  }
}
