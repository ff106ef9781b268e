package io.tidemark.completeness.ledger;

import java.time.Instant;

/**
 * Records of a topic whose batches the ledger does not know.
 *
 * @param at when the newest of these records were counted, according to the reckoner's clock
 * @param reason why the batches are unknown, for people
 */
public record Uncounted(Instant at, String reason) {}
