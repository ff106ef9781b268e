package io.tidemark.connect.pipeline.opening;

import io.tidemark.connect.commit.CommitLog;
import io.tidemark.connect.commit.FencedException;
import io.tidemark.connect.commit.FormerTopicException;
import io.tidemark.connect.commit.OwnedLog;
import io.tidemark.connect.commit.TopicMetadata;
import io.tidemark.connect.commit.TopicMetadata.RetainedOffsets;
import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.commit.entry.LogState;
import io.tidemark.connect.pipeline.retry.Retries;
import io.tidemark.connect.pipeline.setting.LandingException;
import io.tidemark.connect.pipeline.setting.PipelineSettings;
import io.tidemark.connect.publish.Publisher;
import io.tidemark.connect.publish.Registrar;
import io.tidemark.connect.publish.TableBlockedException;
import io.tidemark.connect.recovery.GroupWatch;
import io.tidemark.connect.recovery.LogBacklog;
import io.tidemark.connect.recovery.Recovery;
import io.tidemark.connect.recovery.RecoveryPlan;
import io.tidemark.connect.recovery.StandingLayouts;
import io.tidemark.connect.recovery.StandingSchemas;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.log.CorruptLogException;
import io.tidemark.connect.storage.log.LogRefusedException;
import io.tidemark.connect.storage.log.NumberedEntry;
import io.tidemark.connect.table.CatalogConflictException;
import io.tidemark.connect.table.StagingDirectories;
import io.tidemark.connect.table.Table;
import io.tidemark.connect.table.schema.SchemaConflictException;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Takes topic-partitions: claims their logs, recovers what earlier owners left, and finds where to
 * go on. Safe for use by many threads; an opening waits for Kafka and the store, and is run by one
 * thread at a time.
 */
public final class LogOpener {
  /** So often Kafka may tell of a former topic before that is taken for its last word. */
  private static final int STALE_ANSWERS = 100;

  private final Storage storage;
  private final TopicMetadata topics;
  private final StoragePath logsRoot;
  private final PipelineSettings settings;
  private final Recovery recovery;
  private final TableBinding binding;
  private final StandingSchemas schemas;
  private final LogBacklog backlog;
  private final GroupWatch groupWatch;
  private final Clock wall;

  /**
   * An opener of logs.
   *
   * @param registrar with one, tables are registered, so that their names must differ
   * @param configured the tables of a topic, by its name
   */
  public LogOpener(
      Storage storage,
      TopicMetadata topics,
      StoragePath logsRoot,
      PipelineSettings settings,
      Publisher publisher,
      StandingLayouts layouts,
      Optional<Registrar> registrar,
      Function<String, List<Table>> configured,
      Clock wall) {
    this.storage = storage;
    this.topics = topics;
    this.logsRoot = logsRoot;
    this.settings = settings;
    this.recovery = new Recovery(publisher);
    this.binding =
        new TableBinding(
            storage, topics, logsRoot, settings, layouts, registrar.isPresent(), configured);
    this.schemas = new StandingSchemas(storage);
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
   * @param topic the session's; no longer wanted, a claim that comes late would take the log from
   *     the task's own next session
   */
  public Retries.Step<OpenedLog> opening(
      TopicPartition topicPartition,
      List<Table> tables,
      Optional<OwnedLog> former,
      WantedTopic topic) {
    return new Opening(topicPartition, tables, former, topic);
  }

  private final class Opening implements Retries.Step<OpenedLog> {
    private final TopicPartition topicPartition;
    private final List<Table> tables;
    private final Optional<OwnedLog> former;
    private final WantedTopic topic;
    private final TruncationCheck truncation;
    private TableBinding.Tables staged = new TableBinding.Tables(List.of(), Set.of());
    private @Nullable OwnedLog claimed;
    private int staleAnswers;

    Opening(
        TopicPartition topicPartition,
        List<Table> tables,
        Optional<OwnedLog> former,
        WantedTopic topic) {
      this.topicPartition = topicPartition;
      this.tables = tables;
      this.former = former;
      this.topic = topic;
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
      topic.remember();
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
      RecoveryPlan recovered = recovery.recover(owned, staging, staged.present(), staged.all());
      schemas.require(recovered.register(), staged.present());
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
      Optional<NumberedEntry<CommitEntry>> fence = owned.log().fenceAbove(owned.number());
      if (fence.isPresent()) {
        throw owned.fencedBy(fence.get());
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
      staged = binding.bind(topicPartition.topic(), tables);
      CommitLog log = CommitLog.of(storage, logsRoot, settings.logId(), topicPartition);
      Optional<NumberedEntry<CommitEntry>> last =
          binding.requireAsNewAs(staged, log, topicPartition);
      if (last.isPresent()) {
        finishBacklog(log, last.get());
      }
      return OwnedLog.claim(log, topic, settings.claimant(), settings.consent(), wall);
    }

    /** What would fail behind the claim, again and again, fails before it. */
    private void finishBacklog(CommitLog log, NumberedEntry<CommitEntry> last)
        throws IOException,
            CorruptLogException,
            LogRefusedException,
            TableBlockedException,
            CatalogConflictException,
            SchemaConflictException {
      if (!backlog.isIn(log, last)) {
        return;
      }
      LogState state = last.entry().state();
      if (state.generation().isOf(topic.identity())) {
        truncation.require(log.directory(), state, topics.retainedOffsets(topicPartition));
      }
      StagingDirectories staging =
          new StagingDirectories(storage, settings.logId(), topicPartition);
      backlog.finish(log, state, staging, staged.present(), staged.all());
    }
  }
}
