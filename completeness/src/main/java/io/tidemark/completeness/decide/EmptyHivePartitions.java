package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.LedgerEntry;
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
import java.util.TreeSet;

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

  private final Draft draft;
  private final List<HivePartitionTotal> found = new ArrayList<>();

  /** By table, the time through which this decision has examined all Hive partitions. */
  private final Map<String, Instant> examined = new HashMap<>();

  /** The number of Hive partitions that may become complete, beside the present completions. */
  private int room;

  EmptyHivePartitions(Draft draft) {
    this.draft = draft;
    this.room = LedgerEntry.Reckoning.COMPLETIONS_MOST - draft.completions.size();
  }

  /** Returns those of all tables. They are complete if the catalog has them. */
  List<HivePartitionTotal> find() {
    draft.tables.forEach(
        (name, table) -> {
          Instant complete = draft.through.get(name);
          if (complete != null && table.emptiesThrough().isPresent()) {
            find(TableName.parse(name), table.emptiesThrough().get(), complete);
          }
        });
    return found;
  }

  /** Finds the empty Hive partitions that end after {@code after} and until {@code complete}. */
  private void find(TableName name, Instant after, Instant complete) {
    Look look = draft.findings.look();
    Instant at = after;
    boolean all = true;
    for (int checked = 0; checked < CHECKED_MOST; checked++) {
      Optional<PartitionSpan> next = draft.spans.at(name, at);
      if (next.isEmpty() || next.get().until().isAfter(complete)) {
        break;
      }
      HivePartitionId id = new HivePartitionId(name, next.get().partition());
      boolean hasRecords = draft.totals.containsKey(id);
      if (!hasRecords && look.refused.contains(name)) {
        break; // Readers see none until an operator has corrected the table.
      }
      if (!hasRecords && !look.unseen.contains(id)) {
        if (room == 0) {
          break;
        }
        room--;
        found.add(
            new HivePartitionTotal(
                name,
                id.hivePartition(),
                Optional.of(next.get().from()),
                Optional.of(next.get().until()),
                0,
                0,
                0,
                0,
                look.filled.contains(id)));
        all &= look.seen.contains(id);
      }
      at = next.get().until();
      if (all) {
        examined.put(name.toString(), at);
      }
    }
  }

  /** Notes for each table the time through which its Hive partitions were examined. */
  void note() {
    Set<String> begun = begun();
    draft.tables.replaceAll(
        (name, table) -> {
          Optional<Instant> made = table.emptiesThrough();
          Instant now = draft.through.get(name);
          if (now == null || draft.spans.at(TableName.parse(name), now).isEmpty()) {
            // A table that is missing temporarily, or whose layout cannot be read, keeps its time.
            // A table without empty Hive partitions has no such time.
            boolean kept = now == null || draft.spans.withEmpties().contains(TableName.parse(name));
            return table.withEmptiesThrough(kept ? made : Optional.empty());
          }
          return table.withEmptiesThrough(
              made.isPresent()
                  ? Optional.of(examined.getOrDefault(name, made.get()))
                  : Optional.of(now).filter(any -> begun.contains(name)));
        });
  }

  /** Returns the tables with a Hive partition that is complete now, or became complete recently. */
  private Set<String> begun() {
    Set<String> tables = new TreeSet<>();
    draft.completions.stream()
        .map(each -> each.total().id())
        .filter(draft.findings.look().seen::contains)
        .forEach(id -> tables.add(id.table().toString()));
    draft.ledger.totals().values().stream()
        .filter(each -> each.completedAt().isPresent())
        .forEach(each -> tables.add(each.total().table().toString()));
    return tables;
  }
}
