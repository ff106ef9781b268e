package io.tidemark.connect.ledger;

/**
 * Entries that no account has brought, and that are to be read from the log.
 *
 * @param after the last entry that the ledger has taken; 0 where it has none
 */
public record Gap(String topic, int topicPartition, long after) {}
