package io.tidemark.connect.staging;

/**
 * How records become staged files.
 *
 * @param chunkRecords most records of a chunk
 * @param chunkBytes most bytes of a chunk, but for a single record that is larger
 * @param batchFiles most files of a batch: one for each Hive partition that it touches, and more
 *     where files end before their batch; at least 1
 * @param openFiles most files that stay open between two spills; each reserves a block of the
 *     store's space
 * @param fileLimits when a file ends before its batch
 */
public record StagingSettings(
    int chunkRecords, long chunkBytes, int batchFiles, int openFiles, FileLimits fileLimits) {}
