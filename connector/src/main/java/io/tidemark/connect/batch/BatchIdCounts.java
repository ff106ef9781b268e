package io.tidemark.connect.batch;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
    Set<String> ids = new HashSet<>();
    for (BatchIdCount count : counts) {
      if (!seen.add(List.of(count.id(), count.table()))) {
        throw new IllegalArgumentException("batch " + count.id() + " stands twice");
      }
      ids.add(count.id());
    }
    if (mixed < 0 || ids.size() > MAX_IDS) {
      throw new IllegalArgumentException(
          "%d batches, %d records of others".formatted(ids.size(), mixed));
    }
  }

  public boolean isEmpty() {
    return counts.isEmpty() && mixed == 0;
  }

  /**
   * Requires that no more records carry an id than there are.
   *
   * @param all the records of the range by class
   * @param landed those that landed by table, as {@code database.table}
   */
  public void requireWithin(RecordCounts all, Map<String, Long> landed) {
    Map<String, Long> left = new HashMap<>(landed);
    long deadLettered = 0;
    long skipped = 0;
    for (BatchIdCount count : counts) {
      deadLettered += count.deadLettered();
      skipped += count.skipped();
      count.table().ifPresent(table -> left.merge(table, -count.landed(), Long::sum));
    }
    if (deadLettered > all.deadLettered()
        || skipped > all.skipped()
        || total() > all.landed() + all.deadLettered() + all.skipped()
        || left.values().stream().anyMatch(records -> records < 0)) {
      throw new IllegalArgumentException(
          "more records carry the ids of batches than there are: " + all + " in " + landed);
    }
  }

  /** All records that carry an id. */
  public long total() {
    return mixed
        + counts.stream()
            .mapToLong(count -> count.landed() + count.deadLettered() + count.skipped())
            .sum();
  }
}
