package io.tidemark.connect.pipeline;

import io.tidemark.connect.staging.StagedBatch;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.OffsetRanges;

/**
 * A batch that accepts no more records, with its files staged, its dead letters sent, and its range
 * fixed.
 *
 * @param deadLettered the offsets of acknowledged dead letters
 * @param skipped the offsets of records that a configured policy skipped
 * @param missing the missing offsets: lost or not delivered, not decided yet
 * @param notDelivered the offsets of the class not delivered
 * @param lost the offsets that Kafka has deleted and that may have had records
 * @param batchIds the number of records of announced batches
 */
record SealedBatch(
    StagedBatch staged,
    OffsetRange range,
    OffsetRanges deadLettered,
    OffsetRanges skipped,
    OffsetRanges missing,
    OffsetRanges notDelivered,
    OffsetRanges lost,
    BatchIdCounts batchIds) {}
