package io.tidemark.completeness.ledger;

import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.Generation;
import io.tidemark.store.commit.LogState;

/**
 * The state of a topic-partition's log after an entry: the ledger's part of {@link LogState}.
 *
 * @param first the first offset of the generation, or {@link LogState#UNKNOWN}
 * @param next the first offset after those that entries contain, or {@link LogState#UNKNOWN}
 * @param counts the number of offsets from {@code first} up to {@code next} in each class
 * @param adopted whether records before {@code first} are in another sink's files of the table
 */
public record SettledState(
    Generation generation, long first, long next, RecordCounts counts, boolean adopted) {

  public SettledState {
    if (first < LogState.UNKNOWN
        || (first == LogState.UNKNOWN) != (next == LogState.UNKNOWN)
        || counts.total() != next - first) {
      throw new IllegalArgumentException(
          "not a state of a log: offsets from %d to %d, %s".formatted(first, next, counts));
    }
  }

  public static SettledState of(LogState state) {
    return new SettledState(
        state.generation(), state.first(), state.next(), state.counts(), state.adopted());
  }
}
