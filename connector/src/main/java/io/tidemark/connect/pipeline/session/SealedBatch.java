package io.tidemark.connect.pipeline.session;

import io.tidemark.connect.batch.BatchIdCounts;
import io.tidemark.connect.batch.OffsetRange;
import io.tidemark.connect.batch.OffsetRanges;
import io.tidemark.connect.staging.StagedBatch;

/**
 * A batch that takes no more records, with its files staged, its dead letters sent, and its range
 * fixed.
 *
 * @param deadLettered the offsets whose records the dead letter queue has
 * @param skipped the offsets whose records were left out by a configured policy
 * @param missing the offsets of which it is to be found out why they were not delivered
 * @param notDelivered the offsets that had no record for us
 * @param lost the offsets that may have had records, which Kafka no longer has
 * @param batchIds how many of the records belong to announced batches
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
