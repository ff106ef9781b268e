package io.tidemark.completeness.ledger;

import io.tidemark.store.batch.RecordCounts;

/**
 * A topic's newest covered snapshot.
 *
 * @param snapshot the number of the ledger's entry with the snapshot
 * @param counts the number of offsets in accounts since the previous covered snapshot, by class
 */
public record Covering(long snapshot, RecordCounts counts) {}
