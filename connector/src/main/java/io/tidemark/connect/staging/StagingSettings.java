package io.tidemark.connect.staging;

/**
 * The limits of staging.
 *
 * @param chunkBytes a chunk with a single larger record may exceed it
 * @param batchFiles maximum files of a batch ({@code batch.hive.partitions}), at least 1
 * @param openFiles maximum files that stay open between two early writes
 */
public record StagingSettings(
    int chunkRecords, long chunkBytes, int batchFiles, int openFiles, FileLimits fileLimits) {}
