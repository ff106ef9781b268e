package io.tidemark.completeness.ledger;

import java.time.Instant;

/**
 * Records of a topic whose batches the ledger does not know; when the newest of them were counted,
 * by the reckoner's clock; and why, for people.
 */
public record Uncounted(Instant at, String reason) {}
