package io.tidemark.completeness.ledger;

import io.tidemark.store.batch.RecordCounts;

/** A topic's newest covered snapshot, by its entry's number, and the offsets since the previous. */
public record Covering(long snapshot, RecordCounts counts) {}
