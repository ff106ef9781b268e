/**
 * Decides which tables and Hive partitions are complete, from accounts and snapshots. Pure
 * functions: nothing here reads a clock, a store or Kafka. Start with {@link Reckoning}. Terms:
 * {@code docs/PROTOCOL.md}, "The ledger".
 */
@NullMarked
package io.tidemark.connect.ledger;

import org.jspecify.annotations.NullMarked;
