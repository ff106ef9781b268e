package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.LogListing;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;

/** The commit log of a topic-partition, as the reckoner reads it. */
public interface SettledLog {

  /** An entry, and the attempt of the one before: empty for the first entry and a checkpoint. */
  record Linked(SettledEntry entry, Optional<UUID> before) {
    boolean follows(Optional<UUID> attempt) {
      return before.equals(attempt);
    }
  }

  /** Reads the file of an entry; empty if there is none. A file of a folded entry may exist. */
  Optional<Linked> entry(long number) throws IOException, CorruptLogException;

  /** Reads a checkpoint; empty if a later one has replaced it. */
  Optional<Linked> checkpoint(long number) throws IOException, CorruptLogException;

  LogListing files() throws IOException;
}
