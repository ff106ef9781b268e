package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.store.table.TableName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The empty Hive partitions that are complete, for one decision. An <i>empty Hive partition</i> has
 * no records; the reckoner creates it, so that readers find it. A table has empty Hive partitions
 * only for times after its {@code through} at its first completion. {@link
 * TableState#emptiesThrough} is the time up to which all Hive partitions were examined: they have
 * records, are recorded as complete and empty, or are at another place.
 */
final class EmptyHivePartitions {
  /**
   * Maximum number of Hive partitions of a table that one decision checks. The next decision
   * continues.
   */
  private static final int PASSED_MOST = 10_000;

  private final Set<HivePartitionId> known;
  private final Look look;
  private final Spans spans;
  private final List<HivePartitionTotal> empties = new ArrayList<>();
  private final Map<String, Instant> through = new HashMap<>();
  private int room;

  /**
   * Creates an object without found Hive partitions.
   *
   * @param known the Hive partitions with records
   * @param room the number of Hive partitions that may become complete
   */
  EmptyHivePartitions(Set<HivePartitionId> known, Look look, Spans spans, int room) {
    this.known = known;
    this.look = look;
    this.spans = spans;
    this.room = room;
  }

  /**
   * Finds the empty Hive partitions that end after {@code after} and not after {@code reached}, the
   * earliest first.
   */
  void find(String table, Instant after, Instant reached) {
    TableName name = TableName.parse(table);
    Instant at = after;
    boolean all = true;
    for (int passed = 0; passed < PASSED_MOST; passed++) {
      Optional<Spans.Dated> next = spans.at(name, at);
      if (next.isEmpty() || next.get().span().until().isAfter(reached)) {
        break;
      }
      HivePartitionId id = new HivePartitionId(name, next.get().hivePartition());
      if (!known.contains(id) && look.refused().contains(name)) {
        break; // Readers see none until an operator has corrected the table.
      }
      if (!known.contains(id) && !look.unseen().contains(id)) {
        if (room == 0) {
          break;
        }
        room--;
        empties.add(empty(id, next.get().span(), look.filled().contains(id)));
        all &= look.seen().contains(id);
      }
      at = next.get().span().until();
      if (all) {
        through.put(table, at);
      }
    }
  }

  /**
   * Returns the total of an empty Hive partition.
   *
   * @param filled whether the Hive partition has files that are not in the ledger
   */
  private static HivePartitionTotal empty(HivePartitionId id, Spans.Span span, boolean filled) {
    return new HivePartitionTotal(
        id.table(),
        id.hivePartition(),
        Optional.of(span.from()),
        Optional.of(span.until()),
        0,
        0,
        0,
        0,
        filled);
  }

  /** Returns the found Hive partitions. They are complete if the catalog has them. */
  List<HivePartitionTotal> found() {
    return List.copyOf(empties);
  }

  /**
   * Returns the tables with the time through which their Hive partitions were examined.
   *
   * @param reached the time through which each table is complete
   * @param begun the tables that have a complete Hive partition
   */
  SortedMap<String, TableState> noted(
      Map<String, TableState> tables,
      Map<String, TableState> before,
      Map<String, Instant> reached,
      Set<String> begun) {
    SortedMap<String, TableState> noted = new TreeMap<>();
    tables.forEach(
        (name, table) -> {
          Optional<Instant> made = made(before, name);
          Instant now = reached.get(name);
          if (now == null || spans.at(TableName.parse(name), now).isEmpty()) {
            // A table that is missing temporarily keeps its time. A table without empty Hive
            // partitions has no such time.
            made = now == null ? made : Optional.empty();
          } else if (made.isEmpty()) {
            made = begun.contains(name) ? Optional.of(now) : Optional.empty();
          } else {
            made = Optional.of(through.getOrDefault(name, made.get()));
          }
          noted.put(name, table.withEmptiesThrough(made));
        });
    return noted;
  }

  /**
   * Returns the time through which earlier decisions created a table's empty Hive partitions; empty
   * if they created none.
   */
  static Optional<Instant> made(Map<String, TableState> before, String table) {
    TableState state = before.get(table);
    return state == null ? Optional.empty() : state.emptiesThrough();
  }
}
