package io.tidemark.connect.staging;

import io.tidemark.avro.file.BlockCodec;

/**
 * How records become staged files.
 *
 * @param codec the codec of files
 * @param blockSizeBytes size of an uncompressed block
 * @param chunkRecords most records of a chunk
 * @param chunkBytes most bytes of a chunk, but for a single record that is larger
 * @param batchFiles most files of a batch: one for each Hive partition that it touches
 * @param openFiles most files that are held open between two spills; each reserves a block of the
 *     store's space
 */
public record StagingSettings(
    BlockCodec codec,
    int blockSizeBytes,
    int chunkRecords,
    long chunkBytes,
    int batchFiles,
    int openFiles) {}
