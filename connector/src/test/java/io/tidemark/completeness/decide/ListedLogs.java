package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.SettledEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Commit logs in memory, whose entries come in any order. */
final class ListedLogs {
  private final Map<String, Map<Integer, ListedLog>> logs = new TreeMap<>();

  ListedLog of(String topic, int topicPartition) {
    return logs.computeIfAbsent(topic, name -> new TreeMap<>())
        .computeIfAbsent(topicPartition, each -> new ListedLog());
  }

  /** Puts the entries into their logs, and reads these up to pointers to all entries. */
  List<LogRead> read(Ledger ledger, Collection<ReadEntry> accounted) {
    Map<String, Map<Integer, List<ReadEntry>>> pointed = new TreeMap<>();
    for (ReadEntry each : accounted) {
      SettledEntry entry = each.entry();
      of(entry.topic(), entry.topicPartition()).put(entry, each.at());
      pointed
          .computeIfAbsent(entry.topic(), name -> new TreeMap<>())
          .computeIfAbsent(entry.topicPartition(), number -> new ArrayList<>())
          .add(each);
    }
    List<LogRead> read = new ArrayList<>();
    pointed.forEach(
        (topic, each) ->
            each.forEach(
                (topicPartition, entries) ->
                    read.add(
                        of(topic, topicPartition)
                            .read(ledger, topic, topicPartition, entries, Integer.MAX_VALUE))));
    return read;
  }
}
