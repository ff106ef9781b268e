package io.tidemark.connect.pipeline;

import io.tidemark.connect.commit.CommitLog;
import io.tidemark.connect.commit.FencedException;
import io.tidemark.connect.commit.FormerTopicException;
import io.tidemark.connect.commit.LogOwner;
import io.tidemark.connect.commit.OwnedLog;
import io.tidemark.connect.commit.TopicMetadata;
import io.tidemark.connect.commit.TopicMetadata.RetainedOffsets;
import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.commit.entry.LogState;
import io.tidemark.connect.commit.entry.TopicIdentity;
import io.tidemark.connect.publish.Publisher;
import io.tidemark.connect.publish.Registrar;
import io.tidemark.connect.publish.TableBlockedException;
import io.tidemark.connect.recovery.GroupWatch;
import io.tidemark.connect.recovery.LogBacklog;
import io.tidemark.connect.recovery.Recovery;
import io.tidemark.connect.recovery.RecoveryPlan;
import io.tidemark.connect.recovery.StandingLayouts;
import io.tidemark.connect.recovery.StandingPlaces;
import io.tidemark.connect.recovery.StandingSchemas;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.log.CorruptLogException;
import io.tidemark.connect.storage.log.LogRefusedException;
import io.tidemark.connect.storage.log.NumberedEntry;
import io.tidemark.connect.table.CatalogConflictException;
import io.tidemark.connect.table.LogIdentity;
import io.tidemark.connect.table.LogTables;
import io.tidemark.connect.table.StagingDirectories;
import io.tidemark.connect.table.Table;
import io.tidemark.connect.table.TableLayout;
import io.tidemark.connect.table.TableOwnedException;
import io.tidemark.connect.table.TableOwner;
import io.tidemark.connect.table.TableRoot;
import io.tidemark.connect.table.schema.SchemaConflictException;
import io.tidemark.connect.text.PrintableText;
import java.io.IOException;
import java.time.Clock;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes topic-partitions: claims their logs, recovers what earlier owners left, and finds where to
 * go on. Safe for use by many threads; an opening waits for Kafka and the store, and is run by one
 * thread at a time.
 */
final class LogOpener {
  private static final Logger LOG = LoggerFactory.getLogger(LogOpener.class);

  /** So often Kafka may tell of a former topic before that is taken for its last word. */
  private static final int STALE_ANSWERS = 100;

  private final Storage storage;
  private final TopicMetadata topics;
  private final StoragePath logsRoot;
  private final PipelineSettings settings;
  private final Recovery recovery;
  private final LogTables logTables;
  private final StandingLayouts layouts;
  private final StandingPlaces places;
  private final StandingSchemas schemas;
  private final boolean forCatalog;
  private final LogBacklog backlog;
  private final GroupWatch groupWatch;
  private final Clock wall;

  /** With a {@code registrar} tables are registered, so that their names must differ. */
  LogOpener(
      Storage storage,
      TopicMetadata topics,
      StoragePath logsRoot,
      PipelineSettings settings,
      Publisher publisher,
      StandingLayouts layouts,
      Optional<Registrar> registrar,
      Clock wall) {
    this.storage = storage;
    this.topics = topics;
    this.logsRoot = logsRoot;
    this.settings = settings;
    this.recovery = new Recovery(publisher);
    this.logTables = new LogTables(storage, logsRoot.child(settings.logId()));
    this.layouts = layouts;
    this.places = new StandingPlaces(storage, logTables);
    this.schemas = new StandingSchemas(storage);
    this.forCatalog = registrar.isPresent();
    this.backlog = new LogBacklog(recovery, registrar, settings.retainedEntries());
    this.groupWatch = new GroupWatch(topics);
    this.wall = wall;
  }

  /**
   * The opening of a topic-partition's log. It is run again after a failure of Kafka or the store,
   * and then goes on under the claim that stands: outages leave no row of claims behind, and a task
   * that has been fenced since does not fence its successor.
   *
   * @param tables those in which the topic-partition's records may land
   * @param former the log as the task owned it until it could stage no more, where that is why it
   *     is opened again
   * @param wanted asked before each claim: one that comes late would take the log from the task's
   *     own next session
   */
  Retries.Step<OpenedLog> opening(
      TopicPartition topicPartition,
      List<Table> tables,
      Optional<OwnedLog> former,
      BooleanSupplier wanted) {
    return new Opening(topicPartition, tables, former, wanted);
  }

  private final class Opening implements Retries.Step<OpenedLog> {
    private final TopicPartition topicPartition;
    private final List<Table> tables;
    private final Optional<OwnedLog> former;
    private final BooleanSupplier wanted;
    private final TruncationCheck truncation;
    private @Nullable OwnedLog claimed;
    private int staleAnswers;

    Opening(
        TopicPartition topicPartition,
        List<Table> tables,
        Optional<OwnedLog> former,
        BooleanSupplier wanted) {
      this.topicPartition = topicPartition;
      this.tables = tables;
      this.former = former;
      this.wanted = wanted;
      this.truncation = new TruncationCheck(topicPartition, topics, settings.consent());
    }

    @Override
    public OpenedLog run()
        throws IOException,
            CorruptLogException,
            LogRefusedException,
            FencedException,
            TableBlockedException,
            CatalogConflictException,
            SchemaConflictException {
      OwnedLog owned = claimed;
      if (owned == null || !isOfTheTopic(owned)) {
        if (former.isPresent()) {
          requireUnfenced(former.get());
        }
        owned = claimUnlessStale();
        claimed = owned;
      }
      // Asked for before the records are looked at: an election in between is noticed later.
      RetainedOffsets retained = topics.retainedOffsets(topicPartition);
      truncation.require(owned.log().directory(), owned.state(), retained);
      owned.seenUnder(retained.leaderEpoch());
      StagingDirectories staging =
          new StagingDirectories(storage, settings.logId(), topicPartition);
      List<TableLayout> present = tables.stream().map(Table::layout).toList();
      RecoveryPlan recovered = recovery.recover(owned, staging, present, staged());
      schemas.require(recovered.register(), present);
      groupWatch.look(topicPartition, owned);
      return new OpenedLog(
          owned, staging.ofClaim(owned.number(), owned.claim()), retained, recovered.register());
    }

    /**
     * A new owner removes the staging directories of the one before, so a staging failure may mean
     * that another task has fenced this one.
     */
    private void requireUnfenced(OwnedLog owned)
        throws IOException, CorruptLogException, FencedException {
      CommitLog log = owned.log();
      Optional<NumberedEntry<CommitEntry>> fence = log.fenceAbove(owned.number());
      if (fence.isPresent()) {
        NumberedEntry<CommitEntry> claim =
            log.after(owned.number()).stream()
                .filter(
                    entry ->
                        entry
                            .entry()
                            .match(
                                made -> true, batch -> false, skip -> false, checkpoint -> false))
                .findFirst()
                .orElse(fence.get());
        throw new FencedException(log.directory(), claim);
      }
    }

    private boolean isOfTheTopic(OwnedLog owned) throws IOException {
      return owned.state().generation().isOf(topics.identity(topicPartition.topic()));
    }

    /** A broker learns within seconds which topic there is; one that never does ends the task. */
    private OwnedLog claimUnlessStale()
        throws IOException,
            CorruptLogException,
            LogRefusedException,
            FencedException,
            TableBlockedException,
            CatalogConflictException,
            SchemaConflictException {
      try {
        return claim();
      } catch (FormerTopicException e) {
        if (++staleAnswers >= STALE_ANSWERS) {
          throw new LandingException(
              topicPartition
                  + ": Kafka has answered so "
                  + staleAnswers
                  + " times: "
                  + e.getMessage()
                  + " Restart the broker if its metadata is old. If the cluster was restored from an older copy, its "
                  + "topic is not the one that has landed since: land it with a connector that has another log.id, "
                  + "topics.dir and hive.table.name.",
              e);
        }
        throw e;
      }
    }

    private OwnedLog claim()
        throws IOException,
            CorruptLogException,
            LogRefusedException,
            FencedException,
            TableBlockedException,
            CatalogConflictException,
            SchemaConflictException {
      bindTables();
      CommitLog log = CommitLog.of(storage, logsRoot, settings.logId(), topicPartition);
      requireAsNewAsTables(log);
      finishBacklog(log);
      return OwnedLog.claim(
          log, new TopicWhileWanted(), settings.claimant(), settings.consent(), wall);
    }

    /** The log is this connector's, and each of its tables is fed by no other. */
    private void bindTables() throws IOException, CorruptLogException, LogRefusedException {
      StoragePath directory = logsRoot.child(settings.logId());
      String topic = topicPartition.topic();
      String clusterId = topics.identity(topic).clusterId();
      LogOwner owner = new LogOwner(settings.logId(), settings.claimant().connector());
      if (!LogOwner.standsIn(storage, directory)) {
        owner.requireNew(storage, directory);
        requireNoOwner(topic, identity(Optional.empty(), clusterId));
      }
      Optional<UUID> uuid = owner.establish(storage, directory);
      for (Table table : tables) {
        new TableOwner(storage, table.layout())
            .own(topic, identity(uuid, clusterId), settings.consent());
        TableRoot root = new TableRoot(table.name(), table.layout().root());
        logTables.add(root, topic);
        if (forCatalog) {
          logTables.requireOwnName(root, topic);
          places.requireAsBefore(root);
        }
        layouts.requireAsBefore(topic, table);
      }
    }

    /** There is no log yet: no other, or one that was removed, has fed the tables. */
    private void requireNoOwner(String topic, LogIdentity none)
        throws IOException, CorruptLogException, LogRefusedException {
      try {
        for (Table table : tables) {
          new TableOwner(storage, table.layout()).requireNone(topic, none, settings.consent());
        }
      } catch (TableOwnedException e) {
        // Another task may have made both since: whose log it is, is compared then.
        if (!LogOwner.standsIn(storage, none.directory())) {
          throw e;
        }
      }
    }

    private LogIdentity identity(Optional<UUID> uuid, String clusterId) {
      return new LogIdentity(
          uuid, settings.logId(), storage.location(), logsRoot.child(settings.logId()), clusterId);
    }

    /** A log that has entries which its tables show was not restored from an older copy. */
    private void requireAsNewAsTables(CommitLog log)
        throws IOException, CorruptLogException, LogRefusedException {
      StagingDirectories staging =
          new StagingDirectories(storage, settings.logId(), topicPartition);
      List<TableLayout> present = tables.stream().map(Table::layout).toList();
      for (TableLayout table : staged()) {
        try {
          requireAsNewAs(table, staging, log);
        } catch (IOException e) {
          if (present.contains(table)) {
            throw e;
          }
          LOG.warn(
              "{}: {}, a former root of a table, cannot be looked at: {}",
              log.directory(),
              table.root(),
              PrintableText.of(e));
        }
      }
    }

    private void requireAsNewAs(TableLayout table, StagingDirectories staging, CommitLog log)
        throws IOException, CorruptLogException, LogRefusedException {
      long shown = staging.highestEntry(table);
      // Read after it: entries are appended before their tables show them.
      long last = log.last().map(NumberedEntry::number).orElse(0L);
      if (shown <= last) {
        return;
      }
      OlderLogException older = new OlderLogException(log.directory(), last, table, shown);
      if (!settings.consent().to(older.step())) {
        throw older;
      }
      LOG.warn(
          "{}: by the operator's consent {} landing goes on behind entry {}; what shows entries up to {} is removed from {}",
          log.directory(),
          older.step(),
          last,
          shown,
          table.stagingRoot());
      staging.removeAfter(last, table);
    }

    /** What would fail behind the claim, again and again, fails before it. */
    private void finishBacklog(CommitLog log)
        throws IOException,
            CorruptLogException,
            LogRefusedException,
            TableBlockedException,
            CatalogConflictException,
            SchemaConflictException {
      Optional<NumberedEntry<CommitEntry>> last = log.last();
      if (last.isEmpty() || !backlog.isIn(log, last.get())) {
        return;
      }
      LogState state = last.get().entry().state();
      if (state.generation().isOf(topicWhileWanted())) {
        truncation.require(log.directory(), state, topics.retainedOffsets(topicPartition));
      }
      StagingDirectories staging =
          new StagingDirectories(storage, settings.logId(), topicPartition);
      backlog.finish(log, state, staging, tables.stream().map(Table::layout).toList(), staged());
    }

    /** The tables in which any owner has staged, the present ones first. */
    private Set<TableLayout> staged() throws IOException, CorruptLogException {
      Set<TableLayout> staged = new LinkedHashSet<>();
      tables.forEach(table -> staged.add(table.layout()));
      staged.addAll(logTables.of(topicPartition.topic()));
      return staged;
    }

    private final class TopicWhileWanted implements OwnedLog.Topic {

      @Override
      public TopicIdentity identity() throws IOException {
        return topicWhileWanted();
      }

      @Override
      public TopicIdentity agreed() throws IOException {
        return topics.agreedIdentity(topicPartition.topic());
      }
    }

    private TopicIdentity topicWhileWanted() throws IOException {
      if (!wanted.getAsBoolean()) {
        throw new CancellationException(topicPartition + ": the claim is not wanted any more");
      }
      TopicIdentity topic = topics.identity(topicPartition.topic());
      if (!topic.known()) {
        throw new LandingException(
            topicPartition
                + ": Kafka has no id for the topic (cluster \""
                + topic.clusterId()
                + "\", topic id \""
                + topic.topicId()
                + "\"), so records of a topic that is deleted and made again would be taken for landed ones. Topics have "
                + "ids since Kafka 2.8, with ZooKeeper once inter.broker.protocol.version is 2.8 or later. Upgrade the "
                + "brokers.");
      }
      return topic;
    }
  }
}
