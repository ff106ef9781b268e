package io.tidemark.connect.batch;

/**
 * How many offsets of a batch are in each class. Together they are all offsets of its range.
 *
 * @param landed written to a file of a table
 * @param deadLettered sent to the dead letter topic
 * @param skipped left out by a configured policy, or by an operator
 * @param notDelivered never reached the task: compacted, or a transaction's marker
 * @param lost no longer retained by Kafka when the task came
 */
public record RecordCounts(
    long landed, long deadLettered, long skipped, long notDelivered, long lost) {

  public static final RecordCounts NONE = new RecordCounts(0, 0, 0, 0, 0);

  public RecordCounts {
    if (landed < 0 || deadLettered < 0 || skipped < 0 || notDelivered < 0 || lost < 0) {
      throw new IllegalArgumentException("a class of records cannot be negative");
    }
  }

  /** The classes of these and of more offsets. */
  public RecordCounts plus(RecordCounts more) {
    return new RecordCounts(
        landed + more.landed,
        deadLettered + more.deadLettered,
        skipped + more.skipped,
        notDelivered + more.notDelivered,
        lost + more.lost);
  }

  /** The classes of these offsets without those that were counted before. */
  public RecordCounts minus(RecordCounts before) {
    return new RecordCounts(
        landed - before.landed,
        deadLettered - before.deadLettered,
        skipped - before.skipped,
        notDelivered - before.notDelivered,
        lost - before.lost);
  }

  /** Whether no class has fewer offsets than it had before. */
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
