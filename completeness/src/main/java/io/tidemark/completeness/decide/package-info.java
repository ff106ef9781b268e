/**
 * Decides which tables and Hive partitions are complete, from accounts and snapshots. No I/O and no
 * clock: the result of a decision depends only on its arguments. Start with {@link Reckoning}.
 * Terms: {@code docs/PROTOCOL.md}, "The ledger".
 */
@NullMarked
package io.tidemark.completeness.decide;

import org.jspecify.annotations.NullMarked;
