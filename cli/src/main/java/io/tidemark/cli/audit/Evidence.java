package io.tidemark.cli.audit;

import io.tidemark.cli.deployment.Deployment;
import io.tidemark.completeness.decide.Ledger;
import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.OpenTotal;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.completeness.show.LedgerHistory;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.log.NumberedLog;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The records of one table in the ledger and the commit logs, read at one time. The ledger is read
 * first, so that the logs have every entry that the ledger has. Immutable once read.
 */
final class Evidence {
  // A file of Confluent's HDFS sink: orders+0+0000000020+0000000039.avro
  private static final Pattern ADOPTED =
      Pattern.compile("([a-zA-Z0-9._-]+)\\+(\\d{1,9})\\+\\d{1,18}\\+(\\d{1,18})\\.avro");

  private final Ledger ledger;
  private final TableName table;
  private final SortedMap<String, Total> totals = new TreeMap<>();
  private final Map<String, List<Total>> completions = new HashMap<>();
  private final Map<StoragePath, Map<String, Named>> files = new HashMap<>();
  private final Set<UUID> attempts = new HashSet<>();
  private final Map<TopicPartition, Long> adopted = new HashMap<>();
  private boolean gaps;
  private long oldestReckoning;

  private Evidence(Ledger ledger, TableName table) {
    this.ledger = ledger;
    this.table = table;
  }

  /**
   * A total of a Hive partition.
   *
   * @param revision the number of the ledger's entry that has the total
   * @param partial whether the ledger lacks some of its files
   */
  record Total(long revision, long records, long bytes, long files, boolean partial) {
    Total plus(Total more) {
      return new Total(
          more.revision,
          records + more.records,
          bytes + more.bytes,
          files + more.files,
          partial || more.partial);
    }
  }

  /**
   * A file that a retained entry of a commit log names.
   *
   * @param accounted whether the ledger's totals include the file
   * @param published whether the file was seen in its table
   */
  record Named(
      String log,
      long number,
      UUID attempt,
      StoragePath staged,
      long records,
      long bytes,
      boolean accounted,
      boolean published) {}

  /**
   * Reads the ledger and the logs of a table.
   *
   * @param topics the topics whose records land in the table
   * @param wanted the paths of the Hive partitions to read
   */
  static Evidence read(
      Deployment deployment,
      TableName table,
      List<String> topics,
      Clock clock,
      Predicate<String> wanted)
      throws IOException, CorruptLogException {
    Evidence evidence =
        new Evidence(deployment.ledger(deployment.folders().logId(), clock).read(), table);
    evidence.readTotals(deployment, wanted);
    for (String topic : topics) {
      for (TopicPartition each : topicPartitions(deployment, topic)) {
        evidence.readLog(
            each,
            CommitLog.of(deployment.storage(), deployment.logsRoot(), deployment.logId(), each),
            wanted);
      }
    }
    return evidence;
  }

  /** Returns the topics that have logs. */
  static List<String> topics(Deployment deployment) throws IOException {
    return CommitLog.topics(deployment.storage(), deployment.logsRoot().child(deployment.logId()));
  }

  /** Returns the topic-partitions that have a log. */
  static List<TopicPartition> topicPartitions(Deployment deployment, String topic)
      throws IOException {
    return CommitLog.topicPartitions(
        deployment.storage(), deployment.logsRoot().child(deployment.logId()), topic);
  }

  private void readTotals(Deployment deployment, Predicate<String> wanted)
      throws IOException, CorruptLogException {
    new LedgerHistory(deployment.storage(), deployment.folders())
        .forEach(
            table,
            row -> {
              if (wanted.test(row.hivePartition()) && row.revision() <= ledger.number()) {
                add(row);
              }
            });
    readReckonings(deployment, wanted);
    for (Map.Entry<HivePartitionId, OpenTotal> each : ledger.totals().entrySet()) {
      String path = each.getKey().hivePartition().path();
      if (each.getKey().table().equals(table) && wanted.test(path)) {
        var total = each.getValue().total();
        totals.put(
            path,
            new Total(
                ledger.number(), total.records(), total.bytes(), total.files(), total.partial()));
      }
    }
  }

  private void add(LedgerHistory.Row row) {
    Total total = new Total(row.revision(), row.records(), row.bytes(), row.files(), row.partial());
    if (row.completion()) {
      completions.computeIfAbsent(row.hivePartition(), path -> new ArrayList<>()).add(total);
      totals.put(row.hivePartition(), total);
      return;
    }
    // An entry that adds late files and completes again has a row of each kind.
    Total before = totals.get(row.hivePartition());
    if (before != null && before.revision() < row.revision()) {
      totals.put(row.hivePartition(), before.plus(total));
    }
  }

  /** Reads completions from the ledger's entries, if the connector does not use Hive. */
  private void readReckonings(Deployment deployment, Predicate<String> wanted)
      throws IOException, CorruptLogException {
    NumberedLog<LedgerEntry> log =
        new NumberedLog<>(deployment.storage(), deployment.folders().log(), LedgerEntry.FORMAT);
    List<NumberedEntry<LedgerEntry>> entries = log.all();
    oldestReckoning = entries.isEmpty() ? 0 : entries.get(0).number() + 1;
    for (NumberedEntry<LedgerEntry> entry : entries) {
      List<Completion> completed =
          entry.entry().asReckoning().map(LedgerEntry.Reckoning::completions).orElse(List.of());
      for (Completion each : completed) {
        String path = each.total().hivePartition().path();
        if (!each.total().table().equals(table)
            || !wanted.test(path)
            || completion(path, entry.number()).isPresent()) {
          continue;
        }
        completions
            .computeIfAbsent(path, any -> new ArrayList<>())
            .add(
                new Total(
                    entry.number(),
                    each.total().records(),
                    each.total().bytes(),
                    each.total().files(),
                    each.total().partial()));
      }
    }
  }

  private void readLog(TopicPartition topicPartition, CommitLog log, Predicate<String> wanted)
      throws IOException, CorruptLogException {
    long accounted = accounted(topicPartition);
    List<NumberedEntry<CommitEntry>> entries = log.after(0);
    if (entries.isEmpty()) {
      return;
    }
    LogState first = entries.get(0).entry().state();
    if (first.adopted()) {
      adopted.put(topicPartition, first.first());
    }
    gaps |= entries.get(0).number() > accounted + 1;
    long published =
        Math.max(accounted, entries.get(entries.size() - 1).entry().state().publishedThrough());
    for (NumberedEntry<CommitEntry> entry : entries) {
      Optional<CommitEntry.Batch> batch = entry.entry().asBatch();
      if (batch.isPresent()) {
        attempts.add(batch.get().attempt());
        for (DataFile file : batch.get().files()) {
          if (file.table().equals(table) && wanted.test(file.hivePartition().path())) {
            files
                .computeIfAbsent(file.path().parent(), any -> new HashMap<>())
                .put(
                    file.path().name(),
                    new Named(
                        topicPartition.toString(),
                        entry.number(),
                        batch.get().attempt(),
                        file.staged(),
                        file.records(),
                        file.bytes(),
                        entry.number() <= accounted,
                        entry.number() <= published));
          }
        }
      }
    }
  }

  private long accounted(TopicPartition topicPartition) {
    TopicState topic = ledger.state().topic(topicPartition.topic());
    Position at = topic.at().get(topicPartition.partition());
    return at == null ? 0 : at.number();
  }

  Ledger ledger() {
    return ledger;
  }

  /** Returns the ledger's total of a Hive partition; empty if there is none. */
  Optional<Total> total(HivePartition hivePartition) {
    return Optional.ofNullable(totals.get(hivePartition.path()));
  }

  /** Returns the paths of the Hive partitions in which records landed. */
  Set<String> landed() {
    return totals.keySet();
  }

  long fileCount() {
    return totals.values().stream().mapToLong(Total::files).sum();
  }

  /** Returns the completion that an entry of the ledger recorded. */
  Optional<Total> completion(String hivePartition, long revision) {
    return completions.getOrDefault(hivePartition, List.of()).stream()
        .filter(each -> each.revision() == revision)
        .findFirst();
  }

  /** Returns the first known completion of a Hive partition. */
  Optional<Total> firstCompletion(HivePartition hivePartition) {
    return completions.getOrDefault(hivePartition.path(), List.of()).stream().findFirst();
  }

  /** Returns whether an entry of the ledger is folded, so that only tables in Hive have it. */
  boolean mayHaveForgotten(long revision) {
    return revision < oldestReckoning;
  }

  /** Returns the files in a directory that retained entries name, by their names. */
  Map<String, Named> files(StoragePath directory) {
    return files.getOrDefault(directory, Map.of());
  }

  /** Returns the directories in which retained entries name files. */
  Set<StoragePath> directories() {
    return files.keySet();
  }

  /** Returns whether another sink wrote the file, before a log continued after it. */
  boolean isAdopted(StoragePath file) {
    Matcher name = ADOPTED.matcher(file.name());
    return name.matches()
        && Long.parseLong(name.group(3))
            < adopted.getOrDefault(
                new TopicPartition(name.group(1), Integer.parseInt(name.group(2))), 0L);
  }

  /** Returns whether a retained entry has this identity. */
  boolean hasEntry(UUID attempt) {
    return attempts.contains(attempt);
  }

  /** Returns whether folded entries are not in the ledger, so that its totals may lack files. */
  boolean lacksEntries() {
    return gaps;
  }
}
