package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.store.table.TableName;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * What was read of the log of one topic-partition.
 *
 * @param entries the entries in order, each linked to the one before
 * @param lookBelow the Hive partitions of entries below this number are to be looked up in the
 *     catalog: no account shows whether readers see them
 * @param unseen the Hive partitions that readers do not see, according to accounts
 * @param at when the newest account of the log was put, by the store's clock
 * @param detail what is wrong, for {@link Kind#CONTRADICTS} and {@link Kind#DAMAGED}
 */
public record LogRead(
    String topic,
    int topicPartition,
    Kind kind,
    List<ReadEntry> entries,
    long lookBelow,
    Set<HivePartitionId> unseen,
    Instant at,
    String detail) {

  public enum Kind {
    /** The first entry follows the position. There may be no entries. */
    FOLLOWS,
    /** The first entry replaces all entries after the position: those before it are not read. */
    REPLACES,
    /** The log has not the entry of the position. */
    CONTRADICTS,
    /** The log has the entry of the position again. */
    RETURNED,
    /** The next entry cannot be read. */
    DAMAGED
  }

  public LogRead {
    entries = List.copyOf(entries);
    unseen = Set.copyOf(unseen);
  }

  /** Returns what was read before the first entry with files in one of these tables. */
  LogRead before(Set<TableName> tables) {
    List<ReadEntry> before =
        entries.stream()
            .takeWhile(
                each ->
                    each.entry().asBatch().stream()
                        .flatMap(batch -> batch.sums().stream())
                        .noneMatch(sum -> tables.contains(sum.table())))
            .toList();
    if (before.size() == entries.size()) {
      return this;
    }
    Kind now = before.isEmpty() ? Kind.DAMAGED : kind;
    String why = "the layout of a table cannot be read. Restore its layout.json from a copy";
    return new LogRead(topic, topicPartition, now, before, lookBelow, unseen, at, why);
  }

  /** Returns the last entry that was read; the caller has checked that there is one. */
  public ReadEntry last() {
    return entries.get(entries.size() - 1);
  }
}
