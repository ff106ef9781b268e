package io.tidemark.completeness.decide;

/**
 * Entries of a log that are in no account, and must be read from the log.
 *
 * @param after the number of the last entry that the ledger has read; 0 if it has read none
 */
public record Gap(String topic, int topicPartition, long after) {}
