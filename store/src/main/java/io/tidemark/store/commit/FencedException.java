package io.tidemark.store.commit;

import io.tidemark.store.StoragePath;
import io.tidemark.store.log.NumberedEntry;

/** Another task has claimed the topic-partition. Uncommitted records must be discarded. */
public final class FencedException extends Exception {
  private static final long serialVersionUID = 1L;

  public FencedException(StoragePath log, NumberedEntry<CommitEntry> winner) {
    super(log + ": fenced by entry " + winner.number() + " of " + describe(winner.entry()));
  }

  private static String describe(CommitEntry entry) {
    return entry.match(
        claim -> claim.claimant() + " (claim " + claim.attempt() + ")",
        batch -> "claim " + batch.claim(),
        skip -> "an operator",
        checkpoint -> "another owner (checkpoint " + checkpoint.attempt() + ")",
        adopted -> "tidemark adopt");
  }
}
