package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.SettledEntry;
import java.time.Instant;

/** An entry of a commit log, and when its file was put, by the store's clock. */
public record ReadEntry(Instant at, SettledEntry entry) {}
