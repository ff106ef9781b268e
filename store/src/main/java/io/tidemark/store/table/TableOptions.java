package io.tidemark.store.table;

import java.util.Optional;

/**
 * The options of one table other than its location and its layout. They may change from one
 * configuration to the next.
 *
 * @param compression the compression of the table's files; empty for the connector's default
 * @param reckoned whether the table's completeness is reported
 * @param successFiles whether a {@code _SUCCESS} file is created in complete Hive partitions
 * @param emptyPartitions whether empty Hive partitions are created: Hive partitions without records
 */
public record TableOptions(
    Optional<Compression> compression,
    boolean reckoned,
    boolean successFiles,
    boolean emptyPartitions) {

  /** The options of a table without settings. */
  public static final TableOptions DEFAULT = new TableOptions(Optional.empty(), true, true, false);

  /**
   * Returns whether two topics of one table have compatible options; their compression may differ.
   */
  public boolean agreesWith(TableOptions other) {
    return reckoned == other.reckoned
        && successFiles == other.successFiles
        && emptyPartitions == other.emptyPartitions;
  }
}
