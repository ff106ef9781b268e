package io.tidemark.store.batch;

/**
 * The offsets of a batch that are in no file, by class.
 *
 * @param deadLettered sent to the dead letter topic
 * @param skipped skipped by a configured policy
 * @param notDelivered never reached the task: compacted, or a transaction's marker
 * @param lost deleted by Kafka before the task read them
 */
public record NotLanded(
    OffsetRanges deadLettered, OffsetRanges skipped, OffsetRanges notDelivered, OffsetRanges lost) {

  public static final NotLanded NOTHING =
      new NotLanded(OffsetRanges.NONE, OffsetRanges.NONE, OffsetRanges.NONE, OffsetRanges.NONE);

  /** Returns the counts of a batch that has {@code landed} records in files. */
  public RecordCounts counts(long landed) {
    return new RecordCounts(
        landed, deadLettered.size(), skipped.size(), notDelivered.size(), lost.size());
  }

  /** Returns whether all offsets are in a range. */
  public boolean within(OffsetRange range) {
    return deadLettered.within(range)
        && skipped.within(range)
        && notDelivered.within(range)
        && lost.within(range);
  }
}
