package io.tidemark.connect.metrics;

import java.util.Map;

/**
 * The state of a connector's ledger. Times are in milliseconds; instants are in ISO-8601, UTC.
 * Tables are named as {@code default.orders}, groups as {@code group:sales}.
 */
public interface LedgerMetricsMXBean {

  /** Returns up to which instant each table and group is complete. */
  Map<String, String> getCompleteThrough();

  /** Returns the age of {@link #getCompleteThrough} for each table and group. */
  Map<String, Long> getCompleteThroughAgeMs();

  /** Returns the reason for each table and group that waits. */
  Map<String, String> getHeldBecause();

  /** Returns the time at which a Hive partition of each table was last shown to be complete. */
  Map<String, String> getNewestCompletion();

  /**
   * Returns the number of snapshots that are not covered: records below them have not landed yet.
   */
  int getPendingSnapshots();

  /** Returns the time since the ledger's last cycle; -1 before the first one. */
  long getLastCycleAgeMs();

  /** Returns the present problem of the ledger; empty when there is none. */
  String getProblem();
}
