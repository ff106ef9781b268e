package io.tidemark.connect.staging;

import io.tidemark.store.batch.RejectedRecord;
import java.util.List;

/**
 * The result of a chunk: a part for each Hive partition, and the records that cannot land.
 *
 * @param grownBytes by how much the records before compression are larger than the chunk
 * @param rest the records that were not processed, because those before them grew
 */
record LandedChunk(
    List<ChunkPart> parts,
    List<RejectedRecord> rejected,
    long grownBytes,
    List<RecordChunk> rest) {}
