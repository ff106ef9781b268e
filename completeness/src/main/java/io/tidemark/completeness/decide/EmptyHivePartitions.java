package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.store.partition.PartitionSpan;
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
  /** Maximum number of a table's Hive partitions that one decision checks; the next continues. */
  private static final int CHECKED_MOST = 10_000;

  private final Set<HivePartitionId> known;
  private final Look look;
  private final Spans spans;
  private final List<HivePartitionTotal> empties = new ArrayList<>();
  private final Map<String, Instant> through = new HashMap<>();
  private int room;

  /**
   * Creates the empty Hive partitions of one decision.
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

  /** Finds the empty Hive partitions that end after {@code after} and until {@code complete}. */
  void find(String table, Instant after, Instant complete) {
    TableName name = TableName.parse(table);
    Instant at = after;
    boolean all = true;
    for (int checked = 0; checked < CHECKED_MOST; checked++) {
      Optional<PartitionSpan> next = spans.at(name, at);
      if (next.isEmpty() || next.get().until().isAfter(complete)) {
        break;
      }
      HivePartitionId id = new HivePartitionId(name, next.get().partition());
      if (!known.contains(id) && look.refused().contains(name)) {
        break; // Readers see none until an operator has corrected the table.
      }
      if (!known.contains(id) && !look.unseen().contains(id)) {
        if (room == 0) {
          break;
        }
        room--;
        empties.add(empty(id, next.get()));
        all &= look.seen().contains(id);
      }
      at = next.get().until();
      if (all) {
        through.put(table, at);
      }
    }
  }

  private HivePartitionTotal empty(HivePartitionId id, PartitionSpan span) {
    return new HivePartitionTotal(
        id.table(),
        id.hivePartition(),
        Optional.of(span.from()),
        Optional.of(span.until()),
        0,
        0,
        0,
        0,
        look.filled().contains(id));
  }

  /** Returns the found Hive partitions. They are complete if the catalog has them. */
  List<HivePartitionTotal> found() {
    return List.copyOf(empties);
  }

  /**
   * Returns the tables with the time through which their Hive partitions were examined.
   *
   * @param complete the time through which each table is complete
   * @param begun the tables that have a complete Hive partition
   */
  SortedMap<String, TableState> noted(
      Map<String, TableState> tables,
      Map<String, TableState> before,
      Map<String, Instant> complete,
      Set<String> begun) {
    SortedMap<String, TableState> noted = new TreeMap<>();
    tables.forEach(
        (name, table) -> {
          Optional<Instant> made = made(before, name);
          Instant now = complete.get(name);
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

  /** Returns the time through which earlier decisions created a table's empty Hive partitions. */
  static Optional<Instant> made(Map<String, TableState> before, String table) {
    return Optional.ofNullable(before.get(table)).flatMap(TableState::emptiesThrough);
  }
}
