package io.tidemark.connect.staging;

import io.tidemark.store.batch.RejectedRecord;
import java.util.List;

/**
 * The result of a chunk: a segment for each of its Hive partitions, and the records that cannot
 * land.
 */
record LandedChunk(List<FilledSegment> segments, List<RejectedRecord> rejected) {}
