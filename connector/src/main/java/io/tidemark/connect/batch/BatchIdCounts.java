package io.tidemark.connect.batch;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How many records of each announced batch stand in a range of offsets.
 *
 * @param counts each id and table once; at most {@link #MAX_IDS} ids
 * @param mixed how many records carry an id that found no room in {@code counts}
 */
public record BatchIdCounts(List<BatchIdCount> counts, long mixed) {
  /** At most so many ids are told apart within one entry. */
  public static final int MAX_IDS = 1_000;

  public static final BatchIdCounts NONE = new BatchIdCounts(List.of(), 0);

  public BatchIdCounts {
    counts = List.copyOf(counts);
    Set<Object> seen = new HashSet<>();
    for (BatchIdCount count : counts) {
      if (!seen.add(List.of(count.id(), count.table()))) {
        throw new IllegalArgumentException("batch " + count.id() + " stands twice");
      }
    }
    if (mixed < 0) {
      throw new IllegalArgumentException(mixed + " records of other batches");
    }
  }

  public boolean isEmpty() {
    return counts.isEmpty() && mixed == 0;
  }

  /** All records that carry an id. */
  public long total() {
    return mixed
        + counts.stream()
            .mapToLong(count -> count.landed() + count.deadLettered() + count.skipped())
            .sum();
  }
}
