package io.tidemark.connect.faults;

import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.connect.faults.RecordHistory.Held;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The complete Hive partitions of the times at which records were read. They get no more records,
 * if the clocks agree and Kafka has kept the records.
 */
final class ClosedTimes {
  private final World world;
  private final VisibleRows rows;
  private final LedgerKnowledge knowledge;
  private final Map<String, Closed> closed = new HashMap<>();

  /** A Hive partition, and its rows at its first completion. */
  private record Closed(long number, HivePartitionTotal total, Set<String> keys) {}

  ClosedTimes(World world, VisibleRows rows, LedgerKnowledge knowledge) {
    this.world = world;
    this.rows = rows;
    this.knowledge = knowledge;
  }

  /** Notes a completion in an entry of the ledger. */
  void add(long number, HivePartitionTotal total, Set<String> present) {
    // If the first statement has late records, all rows came after the time was complete.
    closed.putIfAbsent(
        total.table() + "/" + total.hivePartition().path(),
        new Closed(number, total, total.late() > 0 ? Set.of() : present));
  }

  /** The completions after which records have landed. */
  List<String> reopened() {
    List<String> found = new ArrayList<>();
    if (world.simulation().clocksSet()) {
      return found;
    }
    for (Closed each : closed.values()) {
      for (String key : rows.in(each.total().table(), each.total().hivePartition())) {
        if (!each.keys().contains(key)
            && !excused(world.kafka().history().find(key).orElseThrow())) {
          found.add(
              "entry %d: %s is complete, but %s landed in it after its time was complete"
                  .formatted(each.number(), each.total(), key));
        }
      }
    }
    return found;
  }

  private boolean excused(Held held) {
    return held.fate() == RecordHistory.Fate.TRUNCATED
        || held.fate() == RecordHistory.Fate.DELETED
        || world.kafka().history().tookOffsetAgain(held)
        || knowledge.isAcknowledged(held)
        || knowledge.isBefore(held);
  }
}
