package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.SettledEntry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the ledger takes from commit logs.
 *
 * @param moved changed positions, by topic and topic-partition
 * @param batches the batches that count now
 * @param holds all holds after the entries
 * @param toLook the Hive partitions of which no account shows whether readers see them
 * @param partial the topics with entries whose files are unknown. By topic, the time before which
 *     these files landed: when the topic's newest account was put, by the store's clock
 * @param uncounted the topics with records whose batches are unknown, and the reason
 * @param restarted the topics that are counted anew after an acknowledged gap
 * @param damaged the topics with an entry that cannot be read, and why they wait
 */
record Taken(
    SortedMap<String, SortedMap<Integer, Position>> moved,
    List<SettledEntry.Batch> batches,
    List<Hold> holds,
    Set<HivePartitionId> toLook,
    Map<String, Instant> partial,
    Map<String, String> uncounted,
    Set<String> restarted,
    Map<String, HeldBecause> damaged) {

  /** Returns the changed positions of a topic. */
  Map<Integer, Position> moved(String topic) {
    return moved.getOrDefault(topic, new TreeMap<>());
  }
}
