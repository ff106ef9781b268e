package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Ledger;
import io.tidemark.completeness.decide.TopicDescription;
import io.tidemark.completeness.ledger.Account;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.LogPointer;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.Sorted;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.PrintableText;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.LogOwner;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.publish.Publisher;
import io.tidemark.store.publish.PublishingRefusedException;
import io.tidemark.store.publish.Recovery;
import io.tidemark.store.publish.RecoveryPlan;
import io.tidemark.store.publish.Registrar;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.LogTables;
import io.tidemark.store.table.MarkerFiles;
import io.tidemark.store.table.StagingDirectories;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableRoot;
import io.tidemark.store.table.UnseenPartition;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles the committed entries of logs that no task is given: the topic was deleted, was recreated
 * with fewer topic-partitions, or was taken out of the configuration. Their entries are published,
 * registered and accounted, as the next owner would do.
 *
 * <p>This needs no claim, because it only repeats steps that any number of owners may repeat. It
 * never appends to a log, and removes nothing. So it is safe if the log has an owner after all,
 * because Kafka's answer was outdated or a former task is still alive. A claim would not be: it
 * would fence that owner. Not thread-safe.
 */
public final class UnassignedLogs {
  private static final Logger LOG = LoggerFactory.getLogger(UnassignedLogs.class);
  private static final Duration PAUSE = Duration.ofMinutes(5);
  private static final long ALL_AGAIN_MS = Duration.ofHours(6).toMillis();

  /** The looks until half an hour after Kafka's answer or the configuration has changed. */
  private static final int LOOKS = 7;

  private final Services services;
  private final StoragePath directory;
  private final MonotonicClock clock;

  private final Map<String, Settled> settled = new HashMap<>();

  /**
   * The clusters of topics' logs, as read in the last 6 hours. After a move to another cluster such
   * a log is settled beside its task, which is harmless.
   */
  private final Map<String, String> clusters = new HashMap<>();

  private List<String> problems = List.of();
  private long begunMs;

  /** The looks that settled all logs of a topic, after Kafka's present answer. */
  private record Settled(TopicDescription given, int looks) {}

  /** What the class uses: {@code owner} has the log directory. Without a catalog, no registrar. */
  public record Services(
      Storage storage,
      StoragePath logsRoot,
      LogOwner owner,
      EndOffsets kafka,
      Predicate<String> read,
      Publisher publisher,
      Optional<Registrar> registrar,
      Optional<Accounting> ledger) {}

  /** The ledger, of which the positions are read, and its inbox. */
  public record Accounting(LedgerLog log, Inbox inbox, Clock clock) {}

  public UnassignedLogs(Services services, MonotonicClock clock) {
    this.services = services;
    this.directory = services.logsRoot().child(services.owner().log());
    this.clock = clock;
  }

  /**
   * Settles the logs of topics of which Kafka's answer has changed; of all topics at first, every 6
   * hours, and after a failure. Repeats this for half an hour, in which a former task may append;
   * not longer, because there may be thousands of deleted topics.
   *
   * @return the pause until the next call
   */
  public Duration look() throws IOException, CorruptLogException {
    services.owner().requireIfExists(services.storage(), directory);
    List<String> topics = CommitLog.topics(services.storage(), directory);
    if (topics.isEmpty()) {
      return PAUSE;
    }
    if (clock.millis() - begunMs >= ALL_AGAIN_MS) {
      begunMs = clock.millis();
      clusters.clear();
      settled.replaceAll((topic, last) -> new Settled(last.given(), last.looks() - 1));
    }
    EndOffsets.Answers answers = services.kafka().ask(topics, false);
    List<String> failed = new ArrayList<>();
    Optional<Ledger> ledger = Optional.empty();
    for (String topic : topics) {
      TopicDescription given = given(topic, answers);
      Settled last = settled.get(topic);
      int looks = last != null && last.given().equals(given) ? last.looks() : 0;
      if (looks == LOOKS) {
        continue;
      }
      int before = failed.size();
      for (TopicPartition each : CommitLog.topicPartitions(services.storage(), directory, topic)) {
        if (each.partition() >= given.topicPartitions()) {
          if (ledger.isEmpty()) {
            ledger = Optional.of(readLedger());
          }
          settle(each, ledger.get()).ifPresent(failed::add);
        }
      }
      if (failed.size() == before) {
        settled.put(topic, new Settled(given, looks + 1));
      }
    }
    failed.stream()
        .filter(each -> !problems.contains(each))
        .forEach(each -> LOG.warn("{} The connector tries again every 5 minutes.", each));
    problems = failed;
    return PAUSE;
  }

  /** Returns the topic-partitions that tasks are given, as far as Kafka's answer shows. */
  private TopicDescription given(String topic, EndOffsets.Answers answers) throws IOException {
    TopicDescription none = new TopicDescription("", 0, List.of());
    if (!services.read().test(topic) || isOfOtherCluster(topic, answers.clusterId())) {
      return none;
    }
    return answers.refused().contains(topic)
        ? new TopicDescription("", Integer.MAX_VALUE, List.of())
        : Stream.concat(Stream.of(answers.before()), answers.after().stream())
            .flatMap(each -> Stream.ofNullable(each.get(topic)))
            .max(Comparator.comparingInt(TopicDescription::topicPartitions))
            .orElse(none);
  }

  /** True if the logs of a topic are of another cluster than the one that answered. */
  private boolean isOfOtherCluster(String topic, String answered) throws IOException {
    if (!clusters.containsKey(topic)) {
      for (TopicPartition each : CommitLog.topicPartitions(services.storage(), directory, topic)) {
        try {
          log(each)
              .last()
              .ifPresent(
                  last -> clusters.put(topic, last.entry().state().generation().clusterId()));
        } catch (IOException | CorruptLogException e) {
          LOG.debug("{} cannot be read; its owner reports it", each, e);
        }
        if (clusters.containsKey(topic)) {
          break;
        }
      }
    }
    return !clusters.getOrDefault(topic, answered).equals(answered);
  }

  private CommitLog log(TopicPartition topicPartition) {
    return CommitLog.of(
        services.storage(), services.logsRoot(), services.owner().log(), topicPartition);
  }

  private Ledger readLedger() throws IOException, CorruptLogException {
    return services.ledger().isPresent() ? services.ledger().get().log().read() : Ledger.EMPTY;
  }

  /** Settles a log. Returns the problem if this fails. */
  private Optional<String> settle(TopicPartition topicPartition, Ledger ledger) {
    try {
      CommitLog log = log(topicPartition);
      Optional<NumberedEntry<CommitEntry>> last = log.last();
      if (last.isPresent()) {
        settle(topicPartition, log, last.get(), ledger);
      }
      return Optional.empty();
    } catch (IOException
        | CorruptLogException
        | PublishingRefusedException
        | CatalogConflictException e) {
      return Optional.of(
          "%s: no task is given this topic-partition, and its committed entries cannot be settled: %s"
              .formatted(topicPartition, PrintableText.messageOf(e)));
    }
  }

  private void settle(
      TopicPartition topicPartition, CommitLog log, NumberedEntry<CommitEntry> last, Ledger ledger)
      throws IOException,
          CorruptLogException,
          PublishingRefusedException,
          CatalogConflictException {
    String topic = topicPartition.topic();
    boolean known = ledger.state().topics().containsKey(topic);
    Position at = ledger.state().topic(topic).at().get(topicPartition.partition());
    if (at != null && at.attempt().equals(last.entry().identity())) {
      return;
    }
    // A log that was restored from a copy may end before the ledger's position.
    boolean behind = at == null || at.number() < last.number();
    LogState state = last.entry().state();
    RecoveryPlan plan = RecoveryPlan.of(state, log.after(RecoveryPlan.readAfter(state)));
    StagingDirectories staging =
        new StagingDirectories(services.storage(), services.owner().log(), topicPartition);
    // Otherwise the entries may be settled for long: what was removed since must not return.
    boolean unsettled = (known && behind) || services.publisher().isStaged(plan.publish());
    if (unsettled) {
      Set<TableLayout> listed = new LogTables(services.storage(), directory).of(topic);
      plan =
          new Recovery(services.publisher())
              .publishWaiting(log, state, Long.MAX_VALUE, staging, List.of(), listed);
    }
    List<HivePartitionId> unseen = new ArrayList<>();
    StagingDirectories.OfClaim note = staging.ofClaim(last.number(), last.entry().attempt());
    for (NumberedEntry<CommitEntry> entry : plan.register()) {
      for (UnseenPartition each :
          register(entry.entry().asBatch().orElseThrow(), note, unsettled)) {
        unseen.add(new HivePartitionId(each.table(), each.partition()));
      }
    }
    if (known) {
      LogPointer pointer =
          new LogPointer(
              topic,
              topicPartition.partition(),
              last.number(),
              last.entry().identity(),
              last.number() + 1, // The reckoner looks up the Hive partitions.
              unseen);
      Account account =
          new Account(
              services.owner().log(), -1, "connector", Sorted.none(), List.of(pointer), List.of());
      Accounting accounts = services.ledger().orElseThrow();
      StoragePath unused = accounts.inbox().put(account, accounts.clock().instant());
    }
  }

  private List<UnseenPartition> register(
      CommitEntry.Batch batch, StagingDirectories.OfClaim note, boolean unsettled)
      throws IOException, CorruptLogException, CatalogConflictException {
    if (!unsettled && !isPublished(batch)) {
      return List.of();
    }
    if (services.registrar().isEmpty()) {
      for (TableRoot table : batch.tables()) {
        new MarkerFiles(services.storage(), table.layout()).landsWithoutCatalog(note);
      }
      return List.of();
    }
    Registrar registrar = services.registrar().get();
    return unsettled || registrar.recreatesNone(batch) ? registrar.register(batch) : List.of();
  }

  private boolean isPublished(CommitEntry.Batch batch) throws IOException {
    for (DataFile file : batch.files()) {
      if (services.storage().find(file.path()).isEmpty()) {
        return false;
      }
    }
    return true;
  }
}
