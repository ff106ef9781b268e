package io.tidemark.connect.intake;

import io.tidemark.connect.staging.StagedBatch;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.OffsetRanges;

/**
 * A batch that accepts no more records, with its files staged and its dead letters acknowledged.
 *
 * @param notLanded the offsets that do not land, except the missing ones
 * @param missing offsets that are lost or not delivered, not decided yet
 */
public record SealedBatch(
    StagedBatch staged,
    OffsetRange range,
    NotLanded notLanded,
    OffsetRanges missing,
    BatchIdCounts batchIds) {}
