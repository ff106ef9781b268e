package io.tidemark.connect.table;

import java.util.Optional;

/**
 * What is set of one table beside its place and its layout. It may change from one configuration to
 * the next.
 *
 * @param compression of its files; empty for that of the connector
 * @param reckoned whether it is said when it is complete
 * @param successFiles whether its complete Hive partitions get a {@code _SUCCESS}
 * @param emptyPartitions whether its Hive partitions are made to which no record came
 */
public record TableOptions(
    Optional<Compression> compression,
    boolean reckoned,
    boolean successFiles,
    boolean emptyPartitions) {

  /** What holds where nothing is set. */
  public static final TableOptions DEFAULT = new TableOptions(Optional.empty(), true, true, false);

  /** Whether two topics that feed the table agree; each may compress its own files as it likes. */
  public boolean agreesWith(TableOptions other) {
    return reckoned == other.reckoned
        && successFiles == other.successFiles
        && emptyPartitions == other.emptyPartitions;
  }
}
