package io.tidemark.connect.batch;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the records of one announced batch on their way to one table, or to none. Records are
 * taken and skipped by one thread; dead letters are found by any.
 */
public final class BatchIdCounter {
  private final String id;
  private final Optional<String> table;
  private final AtomicLong deadLettered = new AtomicLong();
  private final AtomicLong arrived = new AtomicLong();
  private Map<String, BatchIdCounter> others = Map.of();
  private long taken;
  private long skipped;

  BatchIdCounter(String id, Optional<String> table) {
    this.id = id;
    this.table = table;
  }

  /** Counts a record that is to land in the table. */
  public void take() {
    taken++;
  }

  /** Those of the other tables to which a record that was taken here may turn out to go. */
  void mayGoTo(Map<String, BatchIdCounter> byTable) {
    others = Map.copyOf(byTable);
  }

  /**
   * Counts a record, which was taken here, for the table that it goes to.
   *
   * @param to the table, as {@code database.table}
   */
  public void goesTo(String to) {
    BatchIdCounter other = others.get(to);
    if (other != null) {
      arrived.decrementAndGet();
      other.arrived.incrementAndGet();
    }
  }

  /** Counts a record that a configured policy leaves out. */
  void skip() {
    skipped++;
  }

  /** Counts a dead letter; where the counter has a table, it was taken before. */
  public void deadLetter() {
    deadLettered.incrementAndGet();
  }

  String id() {
    return id;
  }

  Optional<String> table() {
    return table;
  }

  /** Of those taken, the records that are no dead letters. */
  long landed() {
    return table.isEmpty() ? 0 : taken + arrived.get() - deadLettered.get();
  }

  long deadLettered() {
    return deadLettered.get();
  }

  long skipped() {
    return skipped;
  }
}
