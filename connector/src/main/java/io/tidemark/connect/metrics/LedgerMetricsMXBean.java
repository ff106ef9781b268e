package io.tidemark.connect.metrics;

import java.util.Map;

/**
 * What a connector's ledger says. Times are in milliseconds; instants are in ISO-8601, UTC. Tables
 * are named as {@code default.orders}, groups as {@code group:sales}.
 */
public interface LedgerMetricsMXBean {

  /** Up to where each table and group is complete. */
  Map<String, String> getCompleteThrough();

  /** How long ago that was, for each. */
  Map<String, Long> getCompleteThroughAgeMs();

  /** Why those that wait for something do. */
  Map<String, String> getHeldBecause();

  /** When a Hive partition of each table was last shown to be complete. */
  Map<String, String> getNewestCompletion();

  /** Instants for which Kafka was asked, and that are not landed yet. */
  int getPendingSnapshots();

  /** How long ago the ledger was last looked at; -1 before the first time. */
  long getLastCycleAgeMs();

  /** What is wrong with the ledger now; empty when nothing is. */
  String getProblem();
}
