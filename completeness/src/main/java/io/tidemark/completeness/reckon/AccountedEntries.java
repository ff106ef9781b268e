package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Gap;
import io.tidemark.completeness.ledger.AccountedEntry;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.Sorted;
import io.tidemark.completeness.ledger.TopicState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds the entries of commit logs that an entry of the ledger read. These are the entries between
 * the positions before and after the ledger's entry. They are in accounts, or in the logs if the
 * accounts were deleted.
 */
record AccountedEntries(CommitLogs logs) {
  /** Returns the entries, without those that are folded. */
  List<AccountedEntry> of(OwnedLedger.Unshown unshown, Collection<Inbox.Received> accounts)
      throws IOException {
    Map<Integer, Map<Long, AccountedEntry>> none = Map.of();
    Map<String, Map<Integer, Map<Long, AccountedEntry>>> known = new TreeMap<>();
    for (Inbox.Received received : accounts) {
      for (AccountedEntry entry : received.account().entries()) {
        known
            .computeIfAbsent(entry.topic(), topic -> new TreeMap<>())
            .computeIfAbsent(entry.topicPartition(), each -> new TreeMap<>())
            .putIfAbsent(entry.number(), entry);
      }
    }
    List<AccountedEntry> accounted = new ArrayList<>();
    for (Map.Entry<String, TopicState> topic : moved(unshown.entry().entry()).entrySet()) {
      for (Map.Entry<Integer, Position> each : topic.getValue().at().entrySet()) {
        accounted.addAll(
            between(
                topic.getKey(),
                each.getKey(),
                before(unshown, topic.getKey(), each.getKey()),
                each.getValue().number(),
                known.getOrDefault(topic.getKey(), none).getOrDefault(each.getKey(), Map.of())));
      }
    }
    return accounted;
  }

  private static Map<String, TopicState> moved(LedgerEntry entry) {
    return entry.asReckoning().map(each -> each.state().topics()).orElse(Sorted.none());
  }

  private static long before(OwnedLedger.Unshown unshown, String topic, int topicPartition) {
    Position position = unshown.before().state().topic(topic).at().get(topicPartition);
    return position == null ? 0 : position.number();
  }

  private List<AccountedEntry> between(
      String topic, int topicPartition, long after, long upTo, Map<Long, AccountedEntry> known)
      throws IOException {
    List<AccountedEntry> entries = new ArrayList<>();
    boolean missing = false;
    for (long number = after + 1; number <= upTo && !missing; number++) {
      AccountedEntry entry = known.get(number);
      missing = entry == null;
      if (entry != null) {
        entries.add(entry);
      }
    }
    if (missing) {
      entries.clear();
      for (AccountedEntry entry :
          logs.read(List.of(new Gap(topic, topicPartition, after))).entries()) {
        if (entry.number() > after && entry.number() <= upTo) {
          entries.add(entry);
        }
      }
    }
    return entries;
  }
}
