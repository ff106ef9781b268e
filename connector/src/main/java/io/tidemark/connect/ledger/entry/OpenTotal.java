package io.tidemark.connect.ledger.entry;

import java.time.Instant;
import java.util.Optional;

/**
 * A Hive partition's total that the ledger still adds to.
 *
 * @param completedAt when its last completion was recorded, by the reckoner's clock; empty before
 *     the first one
 * @param changed files came since then
 */
public record OpenTotal(HivePartitionTotal total, Optional<Instant> completedAt, boolean changed) {}
