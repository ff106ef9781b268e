package io.tidemark.connect.staging;

import io.tidemark.connect.batch.RejectedRecord;
import java.util.List;

/**
 * What became of a chunk: a segment for each Hive partition that it touches, and the records that
 * cannot land.
 */
record LandedChunk(List<FilledSegment> segments, List<RejectedRecord> rejected) {}
