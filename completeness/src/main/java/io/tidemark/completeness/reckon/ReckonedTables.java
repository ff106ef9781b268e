package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Ledger;
import io.tidemark.completeness.decide.LedgerSettings;
import io.tidemark.completeness.decide.LogRead;
import io.tidemark.completeness.ledger.HivePartitionSum;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The present tables of the configuration, and the settings for them. Not thread-safe. */
record ReckonedTables(
    Subscription subscription, LedgerSettings settings, OwnGroups groups, FormerTables former) {
  /**
   * The tables of the configuration at one time, with the topics of each in the settings; {@code
   * byName} also has those that only the ledger still has.
   */
  record Now(
      LedgerSettings settings,
      Map<TableName, ReckonedTable> byName,
      Set<TableName> awaited,
      Map<String, String> nameTaken) {}

  /**
   * Returns the tables, also with topics that Kafka does not list now: those that tasks have, and
   * those of the ledger's tables that were in a snapshot.
   */
  Now now(LedgerState ledger, Set<String> assigned) throws IOException {
    Set<String> known = ledger.topicsOfTables();
    known.removeIf(topic -> ledger.topic(topic).topicId().isEmpty());
    known.addAll(assigned);
    TreeMap<String, List<String>> topics = new TreeMap<>();
    Map<TableName, ReckonedTable> byName = new HashMap<>();
    for (ReckonedTable table : subscription.tables(known)) {
      topics.put(table.table().name().toString(), table.topics());
      byName.put(table.table().name(), table);
    }
    Map<TableName, ReckonedTable> all = former.with(byName, ledger);
    return new Now(
        settings.with(topics, groups.declared()), all, former.awaited(), subscription.nameTaken());
  }

  /**
   * Returns the tables after a refresh, if logs contain a new table or topic. A topic of a pattern
   * may have landed records before this connector's reckoner knew it.
   */
  Now withNew(Now before, List<LogRead> logs, Ledger ledger, Set<String> assigned)
      throws IOException {
    boolean isNew =
        logs.stream()
            .flatMap(read -> read.entries().stream())
            .flatMap(read -> read.entry().asBatch().stream())
            .anyMatch(batch -> isNew(batch, before, ledger));
    if (isNew) {
      subscription.refresh();
    }
    return now(ledger.state(), assigned);
  }

  private static boolean isNew(SettledEntry.Batch batch, Now known, Ledger ledger) {
    return batch.sums().stream()
        .map(HivePartitionSum::table)
        .anyMatch(
            name -> {
              ReckonedTable table = known.byName().get(name);
              return table == null
                  ? !ledger.state().tables().containsKey(name.toString())
                  : !table.topics().contains(batch.topic());
            });
  }
}
