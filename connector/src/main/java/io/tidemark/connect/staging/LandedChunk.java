package io.tidemark.connect.staging;

import io.tidemark.store.batch.RejectedRecord;
import java.util.List;

/**
 * The result of a chunk, whose records have grown by {@code grownBytes} before compression. The
 * {@code rest} was not processed, because the records before it grew.
 */
record LandedChunk(
    List<ChunkPart> parts,
    List<RejectedRecord> rejected,
    long grownBytes,
    List<RecordChunk> rest) {}
