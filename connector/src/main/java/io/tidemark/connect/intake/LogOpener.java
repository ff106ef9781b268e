package io.tidemark.connect.intake;

import io.tidemark.store.SharedAnswers;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.FormerTopicException;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.commit.NoSuchTopicException;
import io.tidemark.store.commit.OwnedLog;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.commit.TopicMetadata.RetainedOffsets;
import io.tidemark.store.log.AppendOutcome;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.publish.GroupWatch;
import io.tidemark.store.publish.LogBacklog;
import io.tidemark.store.publish.Recovery;
import io.tidemark.store.publish.RecoveryPlan;
import io.tidemark.store.publish.StoredSchemaCheck;
import io.tidemark.store.table.StagingDirectories;
import io.tidemark.store.table.Table;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Opens topic-partitions: claims their logs, recovers the work of earlier owners, and determines
 * the next offset. Thread-safe; one thread at a time runs an opening, which may wait.
 */
public final class LogOpener {
  /** Responses with a former topic id after which the task fails. */
  private static final int STALE_ANSWERS = 100;

  private final PipelineServices services;
  private final PipelineSettings settings;
  private final TopicMetadata topics;
  private final StoragePath logsRoot;
  private final Recovery recovery;
  private final TableOwnership ownership;
  private final StoredSchemaCheck schemas;
  private final LogBacklog backlog;
  private final GroupWatch groupWatch;
  private final SharedAnswers<StoragePath, List<StoredFile>> listings;

  /** {@code configured} returns the tables of a topic, by its name. */
  public LogOpener(
      PipelineServices services, StoragePath logsRoot, Function<String, List<Table>> configured) {
    this.services = services;
    this.settings = services.settings();
    this.topics = services.topics();
    this.logsRoot = logsRoot;
    this.recovery = new Recovery(services.publisher());
    this.ownership = new TableOwnership(services, logsRoot, configured);
    this.schemas = new StoredSchemaCheck(services.staging().storage());
    this.backlog = new LogBacklog(recovery, services.registrar(), settings.retainedEntries());
    this.groupWatch = new GroupWatch(topics);
    this.listings = new SharedAnswers<>(services.monotonic());
  }

  /**
   * Returns the step that opens a topic-partition's log. If it is retried after a failure of Kafka
   * or the store, it continues with its existing claim. So an outage does not fill the log with
   * claims, and a task that was fenced meanwhile does not fence its successor.
   *
   * @param former the log with the task's earlier claim, if files could not be staged
   * @param topic after the session is closed, no claim is appended: a late claim would fence the
   *     task's next session
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
    private final WantedTopic topic;
    private final CommitLog log;
    private final TruncationCheck truncation;
    private final StagingDirectories staging;
    private TableOwnership.Tables staged = new TableOwnership.Tables(List.of(), Set.of());
    private Optional<OwnedLog> former;
    private @Nullable OwnedLog claimed;
    private int staleAnswers;

    private boolean again;

    /** Answers to earlier questions may lack what this opening, or one before, has written. */
    private long sinceMs = services.monotonic().millis();

    /** All entries up to this number are settled, though the log may not record it; or 0. */
    private long settled;

    Opening(
        TopicPartition topicPartition,
        List<Table> tables,
        Optional<OwnedLog> former,
        WantedTopic topic) {
      this.topicPartition = topicPartition;
      this.tables = tables;
      this.former = former;
      this.topic = topic;
      Storage storage = services.staging().storage();
      this.log = CommitLog.of(storage, logsRoot, settings.logId(), topicPartition);
      this.truncation = new TruncationCheck(topicPartition, topics, settings.consent());
      this.staging =
          new StagingDirectories(
              storage,
              each -> listings.after(sinceMs, each, () -> storage.list(each)),
              settings.logId(),
              topicPartition);
    }

    @Override
    public OpenedLog run() throws Exception {
      topic.remember();
      sinceMs = again ? services.monotonic().millis() : sinceMs;
      again = true;
      try {
        return open();
      } catch (NoSuchTopicException e) {
        Optional<NumberedEntry<CommitEntry>> last = log.last();
        if (last.isPresent()) {
          countDiscarded(last.get().entry().state());
        }
        throw e;
      }
    }

    private OpenedLog open() throws Exception {
      OwnedLog owned = claimed;
      if (owned == null
          || !owned.state().generation().isOf(topics.identity(topicPartition.topic()))) {
        if (former.isPresent()) {
          // A new owner removes the staging directories of the former one, so files that could not
          // be staged may mean that another task has fenced this one.
          former.get().requireUnfenced();
        }
        owned = claimUnlessStale();
        claimed = owned;
      }
      // Read the offsets first: the next commit then detects an election before the check.
      RetainedOffsets retained = topics.retainedOffsets(topicPartition);
      truncation.require(owned.log().directory(), owned.state(), retained);
      owned.seenUnder(retained.leaderEpoch());
      RecoveryPlan recovered = recovery.recover(owned, staging, staged.present(), staged.all());
      if (settled > 0) {
        services.folding(owned.log(), topicPartition).foldIfPossible(settled);
      }
      schemas.require(recovered.register(), staged.present());
      groupWatch.compare(topicPartition, owned);
      return new OpenedLog(
          owned, staging.ofClaim(owned.number(), owned.claim()), retained, recovered.register());
    }

    /** Claims the log, or fails the task if a broker does not update its metadata for long. */
    private OwnedLog claimUnlessStale() throws Exception {
      try {
        return claim();
      } catch (FormerTopicException e) {
        if (++staleAnswers >= STALE_ANSWERS) {
          throw new LandingException(
              "%s: Kafka has returned an outdated topic id %d times: %s Restart the broker if its metadata is old. If the cluster was restored from an older copy, its topic is not the one whose records have landed: use a connector that has another log.id, topics.dir and hive.table.name."
                  .formatted(topicPartition, staleAnswers, e.getMessage()),
              e);
        }
        throw e;
      }
    }

    private OwnedLog claim() throws Exception {
      staged = ownership.establish(topicPartition.topic(), tables, sinceMs);
      Optional<NumberedEntry<CommitEntry>> last = ownership.requireAsNewAs(staged, log, staging);
      if (last.isPresent()) {
        finishBacklog(last.get());
        countDiscarded(last.get().entry().state());
      }
      return OwnedLog.claim(log, topic, settings.claimant(), settings.consent(), services.wall());
    }

    /**
     * Counts offsets as lost that this task was to read again, if their topic has ended: the claim
     * for the next topic begins another generation, and a deleted topic has no claim.
     */
    private void countDiscarded(LogState last) throws Exception {
      topic.reportEarlier(log, last);
      if (topic.discarded(last).isEmpty()
          || TopicEnd.followedBy(topics, topicPartition, last).isEmpty()) {
        return;
      }
      OwnedLog owned =
          OwnedLog.claim(
              log,
              () -> last.generation().topic(),
              settings.claimant(),
              settings.consent(),
              services.wall());
      // The check for another task's claim must not find this one.
      former = Optional.of(owned);
      claimed = null;
      Optional<OffsetRange> lost = topic.discarded(owned.state());
      if (lost.isEmpty()) {
        return;
      }
      topic.lost(lost.get());
      AppendOutcome<CommitEntry> outcome =
          owned.commit(owned.draftLost(UUID.randomUUID(), lost.get()));
      if (!(outcome instanceof AppendOutcome.Appended<CommitEntry>)) {
        throw new IOException(
            "%s: another task appended an entry before the offsets %s were counted as lost; the task tries again"
                .formatted(log.directory(), lost.get()));
      }
    }

    /** Finishes pending work; each attempt would otherwise append a claim and then fail. */
    private void finishBacklog(NumberedEntry<CommitEntry> last) throws Exception {
      if (!backlog.isIn(log, last)) {
        return;
      }
      LogState state = last.entry().state();
      if (state.generation().isOf(topic.identity())) {
        truncation.require(log.directory(), state, topics.retainedOffsets(topicPartition));
      }
      settled = backlog.finish(log, last, staging, staged.present(), staged.all());
    }
  }
}
