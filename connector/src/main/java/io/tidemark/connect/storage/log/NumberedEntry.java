package io.tidemark.connect.storage.log;

/** An entry as it stands in a log; the first has number 1. */
public record NumberedEntry<E>(long number, E entry) {}
