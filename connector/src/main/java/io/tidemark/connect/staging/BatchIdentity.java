package io.tidemark.connect.staging;

import io.tidemark.store.TopicPartition;
import io.tidemark.store.table.StagingDirectories;
import java.util.UUID;

/**
 * Identifies a batch while it is staged.
 *
 * @param attempt UUID of the log entry that will commit the batch, in the metadata of every file
 * @param staging staging directories of the batch's claim
 * @param offsetDigits minimum digits of an offset in a file's name
 */
public record BatchIdentity(
    UUID attempt,
    TopicPartition topicPartition,
    int generation,
    StagingDirectories.OfClaim staging,
    int offsetDigits) {}
