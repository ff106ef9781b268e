package io.tidemark.connect.staging;

import io.tidemark.store.batch.RejectedRecord;
import java.util.List;

/** The result of a chunk: a part for each Hive partition, and the records that cannot land. */
record LandedChunk(List<ChunkPart> parts, List<RejectedRecord> rejected) {}
