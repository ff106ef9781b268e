package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.SettledEntry;
import java.time.Instant;

/**
 * An entry that was read from a commit log.
 *
 * @param at when the entry's file was put, by the store's clock
 */
public record ReadEntry(Instant at, SettledEntry entry) {}
