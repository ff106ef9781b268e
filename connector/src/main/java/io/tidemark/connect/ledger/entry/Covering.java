package io.tidemark.connect.ledger.entry;

import io.tidemark.connect.batch.RecordCounts;

/**
 * A topic's newest covered snapshot.
 *
 * @param snapshot number of the ledger's entry with the snapshot
 * @param counts offsets that were taken since the covered snapshot before, by class
 */
public record Covering(long snapshot, RecordCounts counts) {}
