package io.tidemark.connect.staging;

import io.tidemark.connect.table.StagingDirectories;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;

/**
 * What a batch is known by while it is staged.
 *
 * @param attempt the UUID of the log entry that is to commit it; every file of it carries the UUID
 *     in its metadata
 * @param generation the generation of its log
 * @param staging the directories of the claim that it is staged under
 * @param offsetDigits the least digits of an offset in a file's name
 */
public record BatchIdentity(
    UUID attempt,
    TopicPartition topicPartition,
    int generation,
    StagingDirectories.OfClaim staging,
    int offsetDigits) {}
