package io.tidemark.connect.ledger.entry;

import io.tidemark.connect.batch.RecordCounts;

/**
 * A topic's newest covered snapshot.
 *
 * @param snapshot the ledger's entry with it
 * @param counts the offsets that were taken since the covered snapshot before, by class
 */
public record Covering(long snapshot, RecordCounts counts) {}
