package io.tidemark.connect.staging;

import io.tidemark.store.TopicPartition;
import io.tidemark.store.table.StagingDirectories;
import java.util.UUID;

/** Identifies a batch while it is staged; {@code attempt} is the UUID of its log entry. */
public record BatchIdentity(
    UUID attempt,
    TopicPartition topicPartition,
    int generation,
    StagingDirectories.OfClaim staging,
    int offsetDigits) {}
