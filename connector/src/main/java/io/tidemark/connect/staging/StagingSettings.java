package io.tidemark.connect.staging;

/**
 * Settings of the staging of records.
 *
 * @param chunkRecords maximum records of a chunk
 * @param chunkBytes maximum bytes of a chunk; a chunk with a single larger record may exceed it
 * @param batchFiles maximum files of a batch, at least 1: one for each of its Hive partitions, and
 *     more if files end before their batch
 * @param openFiles maximum files that stay open between two early writes; each file reserves a
 *     block of the store's space
 */
public record StagingSettings(
    int chunkRecords, long chunkBytes, int batchFiles, int openFiles, FileLimits fileLimits) {}
