package io.tidemark.store.batch;

/** The offsets of a batch by class (docs/RELIABILITY.md). The sum is the size of its range. */
public record RecordCounts(
    long landed, long deadLettered, long skipped, long notDelivered, long lost) {

  public static final RecordCounts NONE = new RecordCounts(0, 0, 0, 0, 0);

  public RecordCounts {
    if (landed < 0 || deadLettered < 0 || skipped < 0 || notDelivered < 0 || lost < 0) {
      throw new IllegalArgumentException("a class of records cannot be negative");
    }
  }

  public RecordCounts plus(RecordCounts more) {
    return new RecordCounts(
        landed + more.landed,
        deadLettered + more.deadLettered,
        skipped + more.skipped,
        notDelivered + more.notDelivered,
        lost + more.lost);
  }

  public RecordCounts minus(RecordCounts before) {
    return new RecordCounts(
        landed - before.landed,
        deadLettered - before.deadLettered,
        skipped - before.skipped,
        notDelivered - before.notDelivered,
        lost - before.lost);
  }

  /** Returns whether no class has fewer offsets than in {@code before}. */
  public boolean continues(RecordCounts before) {
    return landed >= before.landed
        && deadLettered >= before.deadLettered
        && skipped >= before.skipped
        && notDelivered >= before.notDelivered
        && lost >= before.lost;
  }

  public long total() {
    return landed + deadLettered + skipped + notDelivered + lost;
  }
}
