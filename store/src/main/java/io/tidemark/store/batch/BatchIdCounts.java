package io.tidemark.store.batch;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The records of each announced batch in a range of offsets: each pair of id and table once, for at
 * most {@link #MAX_IDS} ids. Records with further ids are {@code mixed}.
 */
public record BatchIdCounts(List<BatchIdCount> counts, long mixed) {
  /** The maximum number of ids that are counted separately within one entry. */
  public static final int MAX_IDS = 1_000;

  public static final BatchIdCounts NONE = new BatchIdCounts(List.of(), 0);

  public BatchIdCounts {
    counts = List.copyOf(counts);
    Set<Object> seen = new HashSet<>();
    Set<String> ids = new HashSet<>();
    for (BatchIdCount count : counts) {
      if (!seen.add(List.of(count.id(), count.table()))) {
        throw new IllegalArgumentException("batch " + count.id() + " is listed twice");
      }
      ids.add(count.id());
    }
    if (mixed < 0 || ids.size() > MAX_IDS) {
      throw new IllegalArgumentException(
          "%d batches, %d records of others".formatted(ids.size(), mixed));
    }
  }

  /** No more records may have an id than there are, also by table ({@code database.table}). */
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
          "more records have ids of batches than there are records: " + all + " in " + landed);
    }
  }

  public long total() {
    return mixed
        + counts.stream()
            .mapToLong(count -> count.landed() + count.deadLettered() + count.skipped())
            .sum();
  }
}
