package io.tidemark.completeness.decide;

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
 * The entries that were read from accounts, and from logs if accounts are missing.
 *
 * @param moved changed positions, by topic and topic-partition
 * @param batches the batches that count now
 * @param holds all holds after the entries
 * @param readFromLog the Hive partitions of entries that were in no account. It is unknown whether
 *     readers see these Hive partitions
 * @param partial the topics with entries whose files are unknown. By topic, the time before which
 *     these files landed: when the topic's newest account was put, by the store's clock
 * @param uncounted the topics with records whose batches are unknown, and the reason
 * @param gaps the entries to read from logs, so that more accounts can be read
 */
record FormerTaken(
    SortedMap<String, SortedMap<Integer, Position>> moved,
    List<SettledEntry.Batch> batches,
    List<Hold> holds,
    Set<HivePartitionId> readFromLog,
    Map<String, Instant> partial,
    Map<String, String> uncounted,
    List<Gap> gaps) {

  /** Entries that are in no account. */
  record Gap(String topic, int topicPartition, long after) {}

  /** Entries that were read from logs. */
  record Read(List<SettledEntry> entries, Set<Gap> unreadable) {}

  /** Returns the changed positions of a topic. */
  Map<Integer, Position> moved(String topic) {
    return moved.getOrDefault(topic, new TreeMap<>());
  }
}
