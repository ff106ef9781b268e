package io.tidemark.store.batch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Counts the records of a batch of the commit log by announced batch, for at most {@link
 * BatchIdCounts#MAX_IDS} announced batches. One thread counts; any may report dead letters.
 */
public final class BatchIdTally {
  /** By id, then by table. */
  private final Map<String, Map<Optional<String>, BatchIdCounter>> counters = new LinkedHashMap<>();

  private long mixed;

  /**
   * {@code table} is {@code database.table}; empty if the record does not land. The result is empty
   * if there are too many ids, so that the record was counted as mixed.
   */
  public Optional<BatchIdCounter> counter(String id, Optional<String> table) {
    if (!counters.containsKey(id) && counters.size() == BatchIdCounts.MAX_IDS) {
      mixed++;
      return Optional.empty();
    }
    return Optional.of(
        counters
            .computeIfAbsent(id, newId -> new LinkedHashMap<>())
            .computeIfAbsent(table, BatchIdCounter::new));
  }

  /**
   * Returns the counter of a record whose table, one of {@code database.table}, is known only when
   * it is written. Until then the record counts for the first table.
   */
  public Optional<BatchIdCounter> counter(String id, List<String> tables) {
    Optional<BatchIdCounter> first = counter(id, Optional.of(tables.get(0)));
    if (first.isPresent()) { // Otherwise it is counted as mixed, once.
      Map<String, BatchIdCounter> others = new LinkedHashMap<>();
      for (String table : tables.subList(1, tables.size())) {
        counter(id, Optional.of(table)).ifPresent(counter -> others.put(table, counter));
      }
      first.get().mayGoTo(others);
    }
    return first;
  }

  public void skip(String id) {
    counter(id, Optional.empty()).ifPresent(BatchIdCounter::skip);
  }

  /** Returns the counts, once all dead letters are known. */
  public BatchIdCounts counts() {
    List<BatchIdCount> counts = new ArrayList<>();
    counters.forEach(
        (id, byTable) -> {
          long deadLettered = 0;
          long skipped = 0;
          for (BatchIdCounter counter : byTable.values()) {
            if (counter.landed() > 0) {
              counts.add(new BatchIdCount(id, counter.table(), counter.landed(), 0, 0));
            }
            deadLettered += counter.deadLettered();
            skipped += counter.skipped();
          }
          if (deadLettered + skipped > 0) {
            counts.add(new BatchIdCount(id, Optional.empty(), 0, deadLettered, skipped));
          }
        });
    return new BatchIdCounts(counts, mixed);
  }
}
