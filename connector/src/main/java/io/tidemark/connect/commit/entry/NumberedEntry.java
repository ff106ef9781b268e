package io.tidemark.connect.commit.entry;

/** An entry as it stands in a log; the first has number 1. */
public record NumberedEntry(long number, CommitEntry entry) {}
