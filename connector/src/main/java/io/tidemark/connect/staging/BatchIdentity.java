package io.tidemark.connect.staging;

import io.tidemark.connect.storage.StoragePath;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;

/**
 * What a batch is known by while it is staged.
 *
 * @param attempt the UUID of the log entry that is to commit it; every file of it carries the UUID
 *     in its metadata
 * @param generation the generation of its log
 * @param stagingDirectory the directory of the claim that it is staged under
 * @param offsetDigits the least digits of an offset in a file's name
 */
public record BatchIdentity(
    UUID attempt,
    TopicPartition topicPartition,
    int generation,
    StoragePath stagingDirectory,
    int offsetDigits) {}
