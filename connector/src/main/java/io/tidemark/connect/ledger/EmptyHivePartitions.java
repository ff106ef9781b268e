package io.tidemark.connect.ledger;

import io.tidemark.connect.ledger.account.HivePartitionId;
import io.tidemark.connect.ledger.entry.HivePartitionTotal;
import io.tidemark.connect.ledger.state.TableState;
import io.tidemark.connect.table.TableName;
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
 * The Hive partitions of tables that are complete without a record. A table's begin at the time
 * through which it was complete when it first had a complete Hive partition; {@link
 * TableState#emptiesThrough} says how far they are all made. For one decision.
 */
final class EmptyHivePartitions {
  /** So many Hive partitions of a table are passed in one decision; the rest follows. */
  private static final int PASSED_MOST = 10_000;

  private final Set<HivePartitionId> known;
  private final Look look;
  private final Spans spans;
  private final List<HivePartitionTotal> empties = new ArrayList<>();
  private final Map<String, Instant> through = new HashMap<>();
  private int room;

  /**
   * Finds nothing yet.
   *
   * @param known the Hive partitions to which records came
   * @param room how many may become complete
   */
  EmptyHivePartitions(Set<HivePartitionId> known, Look look, Spans spans, int room) {
    this.known = known;
    this.look = look;
    this.spans = spans;
    this.room = room;
  }

  /** Those that end after one time and no later than another, the earliest first. */
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
        break; // None can be seen before somebody has corrected that.
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
   * A total without records.
   *
   * @param filled it has files all the same, of which the ledger knows nothing
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

  /** What is complete, where the catalog shows it. */
  List<HivePartitionTotal> found() {
    return List.copyOf(empties);
  }

  /**
   * The tables with how far theirs are made.
   *
   * @param reached how far each table is complete
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
            // A table that is away for a moment stays where it was; one without them has none.
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

  /** How far those of a table were made before; empty where they have not begun. */
  static Optional<Instant> made(Map<String, TableState> before, String table) {
    TableState state = before.get(table);
    return state == null ? Optional.empty() : state.emptiesThrough();
  }
}
