package io.tidemark.completeness.ledger;

/** The records of one topic in an announced batch that accounts have reported. */
public record BatchTally(long landed, long deadLettered, long skipped) {
  public static final BatchTally NONE = new BatchTally(0, 0, 0);

  public BatchTally {
    if (landed < 0 || deadLettered < 0 || skipped < 0) {
      throw new IllegalArgumentException(
          "%d landed, %d dead letters, %d skipped: none can be negative"
              .formatted(landed, deadLettered, skipped));
    }
  }

  public BatchTally plus(BatchTally more) {
    return new BatchTally(
        landed + more.landed, deadLettered + more.deadLettered, skipped + more.skipped);
  }

  public long total() {
    return landed + deadLettered + skipped;
  }
}
