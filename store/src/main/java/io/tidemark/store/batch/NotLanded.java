package io.tidemark.store.batch;

/** The offsets of a batch that are in no file, by class; see {@link RecordCounts}. */
public record NotLanded(
    OffsetRanges deadLettered, OffsetRanges skipped, OffsetRanges notDelivered, OffsetRanges lost) {

  public static final NotLanded NOTHING =
      new NotLanded(OffsetRanges.NONE, OffsetRanges.NONE, OffsetRanges.NONE, OffsetRanges.NONE);

  public RecordCounts counts(long landed) {
    return new RecordCounts(
        landed, deadLettered.size(), skipped.size(), notDelivered.size(), lost.size());
  }

  public boolean within(OffsetRange range) {
    return deadLettered.within(range)
        && skipped.within(range)
        && notDelivered.within(range)
        && lost.within(range);
  }
}
