package io.tidemark.store.batch;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the records of one announced batch for one table, or those without a table. One thread
 * counts landed and skipped records; any thread may report dead letters.
 */
public final class BatchIdCounter {
  private final Optional<String> table;
  private final AtomicLong deadLettered = new AtomicLong();
  private final AtomicLong arrived = new AtomicLong();
  private Map<String, BatchIdCounter> others = Map.of();
  private long counted;
  private long skipped;

  BatchIdCounter(Optional<String> table) {
    this.table = table;
  }

  public void count() {
    counted++;
  }

  /** Sets the counters of the other tables in which a counted record may land. */
  void mayGoTo(Map<String, BatchIdCounter> byTable) {
    others = Map.copyOf(byTable);
  }

  /** Moves a count to the table of the record, as {@code database.table}. */
  public void goesTo(String to) {
    BatchIdCounter other = others.get(to);
    if (other != null) {
      arrived.decrementAndGet();
      other.arrived.incrementAndGet();
    }
  }

  void skip() {
    skipped++;
  }

  /** If the counter has a table, {@link #count} must have counted the record. */
  public void deadLetter() {
    deadLettered.incrementAndGet();
  }

  Optional<String> table() {
    return table;
  }

  long landed() {
    return table.isEmpty() ? 0 : counted + arrived.get() - deadLettered.get();
  }

  long deadLettered() {
    return deadLettered.get();
  }

  long skipped() {
    return skipped;
  }
}
