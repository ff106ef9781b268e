package io.tidemark.connect.pipeline;

import io.tidemark.connect.batch.OffsetGaps;
import io.tidemark.connect.batch.OffsetRange;
import io.tidemark.connect.staging.StagedBatch;

/**
 * A batch that takes no more records, with its files staged, its range fixed, and what was not
 * delivered in it.
 */
record SealedBatch(StagedBatch staged, OffsetRange range, OffsetGaps gaps) {}
