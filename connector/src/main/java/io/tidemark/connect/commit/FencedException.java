package io.tidemark.connect.commit;

import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.commit.entry.NumberedEntry;
import io.tidemark.connect.storage.StoragePath;

/**
 * Another task has claimed the topic-partition: what this one had not committed is not to be
 * committed any more.
 */
public final class FencedException extends Exception {
  private static final long serialVersionUID = 1L;

  public FencedException(StoragePath log, NumberedEntry winner) {
    super(log + ": fenced by entry " + winner.number() + " of " + describe(winner.entry()));
  }

  private static String describe(CommitEntry entry) {
    if (entry instanceof CommitEntry.Claim claim) {
      return claim.claimant() + " (claim " + claim.attempt() + ")";
    }
    if (entry instanceof CommitEntry.Batch batch) {
      return "claim " + batch.claim();
    }
    return entry instanceof CommitEntry.Checkpoint checkpoint
        ? "another owner (checkpoint " + checkpoint.attempt() + ")"
        : "an operator";
  }
}
