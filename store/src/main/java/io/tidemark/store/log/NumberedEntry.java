package io.tidemark.store.log;

/** An entry with its number in a log. The first entry has number 1. */
public record NumberedEntry<E>(long number, E entry) {}
