package io.tidemark.cli.audit;

import io.tidemark.cli.deployment.Deployment;
import io.tidemark.completeness.decide.Ledger;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.store.PrintableText;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.publish.RecoveryPlan;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.CatalogUnavailableException;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.ReadOnlyCatalog;
import io.tidemark.store.table.StagingDirectories;
import io.tidemark.store.table.Table;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Lists the work that tasks would do at their recovery: publish, register, account, and remove the
 * staging directories of earlier claims. Only reads: tasks and the connector do the work. Used by
 * one thread.
 */
public final class PendingWork {
  /** The age at which a missing account is listed. A reckoner reads accounts each minute. */
  private static final Duration READ_WITHIN = Duration.ofMinutes(5);

  private final Deployment deployment;
  private final Optional<ReadOnlyCatalog> catalog;
  private final Clock clock;
  private final List<String> lines = new ArrayList<>();

  /** Creates a list. {@code catalog} is empty if the connector does not use Hive. */
  public PendingWork(Deployment deployment, Optional<ReadOnlyCatalog> catalog, Clock clock) {
    this.deployment = deployment;
    this.catalog = catalog;
    this.clock = clock;
  }

  /** Returns the pending work as lines; empty if there is none. */
  public List<String> find()
      throws IOException,
          CorruptLogException,
          CatalogUnavailableException,
          CatalogConflictException {
    Ledger ledger = deployment.ledger(deployment.logId(), clock).read();
    for (String topic : Evidence.topics(deployment)) {
      for (TopicPartition each : Evidence.topicPartitions(deployment, topic)) {
        find(each, deployment.services().tables(topic), accounted(ledger, each));
      }
    }
    return List.copyOf(lines);
  }

  /** Returns the last entry that the ledger has of a topic-partition; empty if it has none. */
  private static OptionalLong accounted(Ledger ledger, TopicPartition topicPartition) {
    TopicState topic = ledger.state().topic(topicPartition.topic());
    Position at = topic.at().get(topicPartition.partition());
    return at == null ? OptionalLong.empty() : OptionalLong.of(at.number());
  }

  private void find(TopicPartition topicPartition, List<Table> tables, OptionalLong accounted)
      throws IOException,
          CorruptLogException,
          CatalogUnavailableException,
          CatalogConflictException {
    CommitLog log =
        CommitLog.of(
            deployment.storage(), deployment.logsRoot(), deployment.logId(), topicPartition);
    Optional<NumberedEntry<CommitEntry>> last = log.last();
    if (last.isEmpty()) {
      return;
    }
    LogState state = last.get().entry().state();
    RecoveryPlan plan = RecoveryPlan.of(state, log.after(RecoveryPlan.readAfter(state)));
    String place = PrintableText.of(topicPartition.toString());
    publish(place, plan.publish());
    for (Table table : tables) {
      register(place, table, plan.register());
    }
    account(place, last.get(), accounted);
    orphans(place, topicPartition, tables, log);
  }

  private static List<DataFile> files(NumberedEntry<CommitEntry> entry) {
    return entry.entry().asBatch().map(CommitEntry.Batch::files).orElse(List.of());
  }

  private void publish(String place, List<NumberedEntry<CommitEntry>> entries) throws IOException {
    for (NumberedEntry<CommitEntry> entry : entries) {
      int waiting = 0;
      for (DataFile file : files(entry)) {
        if (deployment.storage().find(file.path()).isEmpty()) {
          waiting++;
        }
      }
      if (waiting > 0) {
        lines.add(
            "publish %s: entry %d is committed, and %d of its files are not in their table"
                .formatted(place, entry.number(), waiting));
      }
    }
  }

  private void register(String place, Table table, List<NumberedEntry<CommitEntry>> entries)
      throws CatalogUnavailableException, CatalogConflictException {
    Set<HivePartition> places = new LinkedHashSet<>();
    for (NumberedEntry<CommitEntry> entry : entries) {
      for (DataFile file : files(entry)) {
        if (file.table().equals(table.name()) && !file.hivePartition().columns().isEmpty()) {
          places.add(file.hivePartition());
        }
      }
    }
    if (catalog.isEmpty() || places.isEmpty()) {
      return;
    }
    int unseen = catalog.get().unseen(CatalogAudit.definition(deployment, table), places).size();
    if (unseen > 0) {
      lines.add(
          "register %s: %d Hive partitions of %s are not in Hive, or have another location"
              .formatted(place, unseen, table.name()));
    }
  }

  private void account(String place, NumberedEntry<CommitEntry> last, OptionalLong accounted) {
    Instant old = clock.instant().minus(READ_WITHIN);
    if (accounted.isPresent()
        && accounted.getAsLong() < last.number()
        && last.entry().writtenAt().isBefore(old)) {
      lines.add(
          "account %s: the ledger has the log's entries up to %d, and the log's last entry is %d, of %s"
              .formatted(place, accounted.getAsLong(), last.number(), last.entry().writtenAt()));
    }
  }

  private void orphans(
      String place, TopicPartition topicPartition, List<Table> tables, CommitLog log)
      throws IOException, CorruptLogException {
    long claim = 0;
    for (NumberedEntry<CommitEntry> entry : log.after(0)) {
      claim = entry.entry().isClaim() ? entry.number() : claim;
    }
    StagingDirectories staging =
        new StagingDirectories(deployment.storage(), deployment.logId(), topicPartition);
    for (Table table : tables) {
      for (StoragePath each : staging.before(claim, table.layout())) {
        lines.add("remove %s: %s is left from an earlier claim".formatted(place, each));
      }
    }
  }
}
