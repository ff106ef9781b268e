package io.tidemark.store.table;

import io.tidemark.store.schema.UnboundedDecimals;
import java.util.Optional;

/**
 * The options of one table other than its location and its layout. They may change from one
 * configuration to the next. An empty compression is the default of the connector.
 */
public record TableOptions(
    Optional<Compression> compression,
    boolean reckoned,
    boolean successFiles,
    boolean emptyPartitions,
    boolean inHive,
    UnboundedDecimals decimals) {

  public static final TableOptions DEFAULT =
      new TableOptions(Optional.empty(), true, true, false, true, UnboundedDecimals.DECIMAL);

  /** Returns whether topics can share the table; their compression may differ. */
  public boolean agreesWith(TableOptions other) {
    return reckoned == other.reckoned
        && successFiles == other.successFiles
        && emptyPartitions == other.emptyPartitions
        && inHive == other.inHive
        && decimals == other.decimals;
  }
}
