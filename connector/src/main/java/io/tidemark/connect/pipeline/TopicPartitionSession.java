package io.tidemark.connect.pipeline;

import io.tidemark.connect.health.TopicPartitionProgress;
import io.tidemark.connect.intake.LandingException;
import io.tidemark.connect.intake.LogOpener;
import io.tidemark.connect.intake.OffsetGap;
import io.tidemark.connect.intake.OpenedLog;
import io.tidemark.connect.intake.PipelineServices;
import io.tidemark.connect.intake.RecordIntake;
import io.tidemark.connect.intake.Retries;
import io.tidemark.connect.intake.StepFailure;
import io.tidemark.connect.intake.TaskTopic;
import io.tidemark.connect.intake.TopicEnd;
import io.tidemark.connect.intake.WantedTopic;
import io.tidemark.connect.pipeline.SessionFailures.Reopening;
import io.tidemark.connect.pipeline.SessionPhase.Asking;
import io.tidemark.connect.pipeline.SessionPhase.BackingOff;
import io.tidemark.connect.pipeline.SessionPhase.Closed;
import io.tidemark.connect.pipeline.SessionPhase.Committing;
import io.tidemark.connect.pipeline.SessionPhase.Consuming;
import io.tidemark.connect.pipeline.SessionPhase.Ending;
import io.tidemark.connect.pipeline.SessionPhase.Opening;
import io.tidemark.connect.pipeline.SessionPhase.Refused;
import io.tidemark.connect.pipeline.SessionPhase.Resolving;
import io.tidemark.connect.staging.RejectedRecordException;
import io.tidemark.connect.staging.TooManyFilesException;
import io.tidemark.registry.SchemaId;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.IncomingRecord;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.commit.OwnedLog;
import io.tidemark.store.commit.TopicMetadata.RetainedOffsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A topic-partition that is assigned to this task, from open() to close(). Claims its log, adds
 * records to a batch, and commits, publishes and registers the batches one after another. Called by
 * the task's thread only. Its methods never wait. Services are called on other threads, and {@link
 * #tick} checks the results.
 *
 * <p>All transient failures are handled alike ({@link SessionFailures}): discard uncommitted
 * records, claim the log again, and continue from the log's end ({@link ReadPosition}).
 *
 * <p>The class is long because it is one state machine: it contains every change of {@link
 * SessionPhase}. The requests and decisions of a phase are in other classes.
 */
final class TopicPartitionSession {
  private static final Logger LOG = LoggerFactory.getLogger(TopicPartitionSession.class);

  /** The wait for a record's schema after which the record is named, with how to skip it. */
  private static final long LONG_WAIT_MS = 60_000;

  private final TopicPartition topicPartition;
  private final TaskTopic topic;
  private final PipelineServices services;
  private final LogOpener opener;
  private final Retries retries;
  private final AtomicInteger filesToRegister;
  private final ReadPosition position = new ReadPosition();
  private final TopicPartitionProgress progress;
  private final SessionFailures failures;
  private final WantedTopic wantedTopic;
  private final BatchBounds bounds;

  private SessionPhase phase;
  private volatile boolean closed;
  private @Nullable CompletableFuture<Void> committing;

  /** The offset after the last one that was delivered under this claim. */
  private long delivered;

  private List<IncomingRecord> buffered = List.of();

  /** A record below the next offset was delivered: the claim ends after its cluster check. */
  private boolean fellBack;

  TopicPartitionSession(
      TopicPartition topicPartition,
      TaskTopic topic,
      PipelineServices services,
      LogOpener opener,
      AtomicInteger filesToRegister) {
    this.topicPartition = topicPartition;
    this.topic = topic;
    this.services = services;
    this.opener = opener;
    this.retries = services.retries().of(topicPartition, this::wanted);
    this.filesToRegister = filesToRegister;
    this.progress = new TopicPartitionProgress(services.monotonic());
    this.failures = new SessionFailures(topicPartition, topic, services, position);
    this.wantedTopic = new WantedTopic(services.topics(), topicPartition, this::wanted, progress);
    this.bounds = new BatchBounds(topicPartition);
    this.phase = opening(Optional.empty());
  }

  TopicPartition topicPartition() {
    return topicPartition;
  }

  boolean consuming() {
    return phase instanceof Consuming;
  }

  boolean reading() {
    return consuming() && !topic.pauses(topicPartition);
  }

  boolean committing() {
    return committing != null;
  }

  /** Returns whether work is running whose result {@link #tick} must check soon. */
  boolean busy() {
    boolean pausing =
        phase instanceof Refused
            || (phase instanceof BackingOff backingOff
                && backingOff.lastsAt(services.monotonic().millis()));
    return committing != null || !(phase instanceof Consuming || pausing);
  }

  ReadPosition position() {
    return position;
  }

  TopicPartitionProgress progress() {
    return progress;
  }

  /** A claim that waits for records and has nothing to commit, and the next offset to accept. */
  record Waiting(Consuming under, long next) {}

  Optional<Waiting> waiting() {
    return phase instanceof Consuming consuming
            && committing == null
            && consuming.cluster().result().isDone()
        ? Optional.of(new Waiting(consuming, consuming.intake().next()))
        : Optional.empty();
  }

  /** Records a gap after the last delivered record; the session must be {@link #waiting}. */
  void pass(OffsetGap gap) {
    waiting().ifPresent(waits -> ask(waits.under(), gap, new ArrayList<>()));
  }

  /** Opens the log again, to check for truncation: Kafka ends below the next offset. */
  void endBelow(long next, long end) {
    LOG.warn(
        "{}: Kafka ends at offset {}, but {} is next: records were truncated or the topic was recreated; opening the log again",
        topicPartition,
        end,
        next);
    phase.claimed().ifPresent(this::endClaim);
  }

  /**
   * Opens the log again; before that, asks whether the open batch can be read again. The cluster
   * check must be done: without it no batch can be committed.
   */
  private void endClaim(Consuming claimed) {
    LogState state = claimed.log().owned().state();
    phase =
        new Ending(
            claimed,
            claimed.intake().hasRecords()
                ? retries.until(
                    "ask whether the topic was recreated",
                    () -> TopicEnd.followedBy(services.topics(), topicPartition, state).isPresent())
                : CompletableFuture.completedFuture(false));
  }

  /** Returns whether Connect should commit offsets, and so pass its position to the task. */
  boolean wantsCommit() {
    return (phase instanceof Opening && position.wanted())
        || clusterCheck().filter(ClusterCheck::wantsCommit).isPresent();
  }

  /** Returns the check of the present claim, complete or not; empty between claims. */
  Optional<ClusterCheck> clusterCheck() {
    return phase.claimed().map(Consuming::cluster);
  }

  /** Returns the records to {@link #accept} that were buffered until Kafka responded, once. */
  List<IncomingRecord> takeBuffered() {
    List<IncomingRecord> taken = buffered;
    buffered = List.of();
    return taken;
  }

  /** Adds a record to the batch. Returns false if it was buffered, or will be delivered again. */
  boolean accept(IncomingRecord record) {
    if (fellBack) {
      return false; // It counts as discarded under no claim: the topic may be another one.
    }
    long offset = record.offset();
    delivered = Math.max(delivered, offset + 1);
    if (phase instanceof Asking asking) {
      asking.buffered().add(record);
      return false;
    }
    if (!(phase instanceof Consuming consuming)) {
      return false;
    }
    RecordIntake intake = consuming.intake();
    if (offset < intake.next()) {
      LOG.warn(
          "{}: Kafka delivered offset {}, but {} is next: the consumer was moved, the topic was recreated, or records were truncated; opening the log again",
          topicPartition,
          offset,
          intake.next());
      position.fellBackTo(offset);
      fellBack = true;
      endIfFellBack(consuming);
      return false;
    }
    if (intake.mayHaveJumped(offset)) {
      OffsetGap gap = new OffsetGap(offset, OffsetGap.Evidence.NEXT_RECORD);
      ask(consuming, gap, new ArrayList<>(List.of(record)));
      return false;
    }
    if (bounds.endBefore(offset)) {
      if (commitsBefore(consuming, offset)) {
        return false;
      }
      bounds.reached(offset);
    }
    Optional<SchemaId> unresolved;
    try {
      unresolved = intake.take(record);
    } catch (RejectedRecordException e) {
      if (commitsBefore(consuming, offset)) {
        return false;
      }
      if (!failures.holdsFor(e)) {
        throw failures.stopping(e);
      }
      handle(e);
      return false;
    }
    if (unresolved.isEmpty()) {
      if (bounds.rejected(offset)) {
        intake.submitChunk(); // Check the record now, not at the next flush.
      }
      return true;
    }
    phase = resolving(consuming, unresolved.get(), offset);
    return false;
  }

  /** Returns whether the consumer is below the next offset until the cluster check is done. */
  boolean fellBack() {
    return fellBack;
  }

  /** Without the check, the record may be of another cluster: each claim would meet it again. */
  private void endIfFellBack(Consuming consuming) {
    if (fellBack && consuming.cluster().result().isDone()) {
      endClaim(consuming);
    }
  }

  private Resolving resolving(Consuming consuming, SchemaId schemaId, long offset) {
    long nowMs = services.monotonic().millis();
    return new Resolving(consuming, topic.resolve(schemaId), schemaId, offset, nowMs);
  }

  /** Starts to commit the records before an offset; returns false if there are none. */
  private boolean commitsBefore(Consuming consuming, long offset) {
    if (committing == null && !consuming.intake().hasRecords()) {
      return false;
    }
    phase = new Committing(consuming, offset);
    return true;
  }

  private void ask(Consuming consuming, OffsetGap gap, List<IncomingRecord> behind) {
    int epoch = consuming.log().retained().leaderEpoch();
    CompletableFuture<RetainedOffsets> retained =
        retries.until(
            "ask for the first offset",
            () -> services.topics().retainedOffsets(topicPartition, epoch));
    phase = new Asking(consuming, retained, gap, behind);
  }

  /**
   * Returns the first offset that is neither in the log nor in the batch that {@link #flush} would
   * end; {@link LogState#UNKNOWN} if it is not known.
   */
  long takenThrough() {
    return phase instanceof Asking
        ? LogState.UNKNOWN
        : intake().map(RecordIntake::next).orElse((long) LogState.UNKNOWN);
  }

  Optional<RecordIntake> intake() {
    return phase.claimed().map(Consuming::intake);
  }

  /** See {@link RecordIntake#scattered}. Called for each record. */
  boolean scattered() {
    return phase instanceof Consuming consuming && consuming.intake().scattered();
  }

  /** Ends the open batch, if any, and starts to commit it, if no batch is being committed. */
  void flush() {
    Consuming claimed = phase.claimed().orElse(null);
    if (claimed == null || !claimed.intake().hasBatch()) {
      return;
    }
    if (!consuming() && !claimed.intake().hasRecords()) {
      return; // Wait: buffered records still belong to the batch.
    }
    if (phase instanceof Ending ending && !ending.commits()) {
      return; // Its records may have been truncated.
    }
    if (committing != null) {
      throw new IllegalStateException(topicPartition + ": a batch is being committed");
    }
    committing =
        new BatchCommit(
                topicPartition, topic, services, claimed, retries, position::committed, progress)
            .run(claimed.intake().endBatch());
  }

  /** Cancels, during close(), a commit whose cluster check cannot succeed any more. */
  void cancelUnchecked() {
    clusterCheck().filter(check -> !check.canSucceed()).ifPresent(ClusterCheck::abandon);
  }

  /** Flushes during close(), unless the previous batch is still being committed or has failed. */
  void flushIfFree() {
    if (committing != null && committing.isDone() && !committing.isCompletedExceptionally()) {
      committing = null;
    }
    if (committing == null && clusterCheck().filter(check -> !check.result().isDone()).isEmpty()) {
      flush();
    }
  }

  /** Checks the results of asynchronous work; throws if the task cannot continue. */
  void tick() {
    if (committing != null && committing.isDone()) {
      CompletableFuture<Void> done = committing;
      committing = null;
      StepFailure.of(done).ifPresentOrElse(this::handle, this::committed);
    }
    position.endOfPut();
    phase
        .claimed()
        .ifPresent(
            claimed -> {
              claimed.intake().endOfPut();
              claimed.intake().requestFirstOffset();
              claimed.intake().failure().ifPresent(this::handle);
              StepFailure.of(claimed.cluster().result()).ifPresent(this::handle);
            });
    if (phase instanceof Opening opening) {
      whenDone(opening.opened(), this::consume);
    } else if (phase instanceof Asking asking) {
      whenDone(asking.retained(), answer -> answered(asking, answer));
    } else if (phase instanceof Resolving resolving) {
      if (resolving.resolved().isDone()) {
        StepFailure.of(resolving.resolved())
            .ifPresentOrElse(failure -> unresolved(resolving, failure), () -> resumeAt(resolving));
      } else if (services.monotonic().millis() - resolving.sinceMs() >= LONG_WAIT_MS) {
        waitsOn(resolving);
      }
    } else if (phase instanceof Committing before && committing == null) {
      flush();
      if (committing == null) {
        position.seek(before.offset());
        phase = before.consuming();
      }
    } else if (phase instanceof Ending ending && committing == null) {
      whenDone(ending.topicEnded(), ended -> end(ending));
    } else if (phase instanceof Refused refused
        && services.monotonic().millis() >= refused.untilMs()) {
      Resolving again = refused.resolving();
      phase = resolving(again.consuming(), again.schemaId(), again.offset());
    } else if (phase instanceof BackingOff backingOff
        && committing == null
        && services.monotonic().millis() >= backingOff.untilMs()) {
      phase = opening(backingOff.former());
    }
    if (phase instanceof Consuming consuming
        && consuming.intake().beyondEnd()
        && consuming.cluster().result().isDone()) {
      // The end offset is trusted only after the cluster check.
      position.fellBackTo(consuming.intake().next());
      reopen(Reopening.in(0));
    }
    if (phase instanceof Consuming consuming) {
      StepFailure.of(consuming.registrations().all()).ifPresent(this::handle);
      endIfFellBack(consuming);
    }
  }

  private <T> void whenDone(CompletableFuture<T> step, Consumer<T> then) {
    if (step.isDone()) {
      StepFailure.of(step).ifPresentOrElse(this::handle, () -> then.accept(step.join()));
    }
  }

  CompletableFuture<Void> running() {
    return committing == null ? CompletableFuture.completedFuture(null) : committing;
  }

  /** Starts no further work. The owner of the next claim removes the files of discarded records. */
  void close() {
    closed = true;
    intake().ifPresent(RecordIntake::abandon);
    clusterCheck().ifPresent(ClusterCheck::abandon);
    failures.close();
    phase = new Closed();
  }

  private Opening opening(Optional<OwnedLog> former) {
    return new Opening(
        retries.until("open", opener.opening(topicPartition, topic.tables(), former, wantedTopic)));
  }

  private boolean wanted() {
    return !closed;
  }

  /** Consumes under a claim, or waits until the consumer's first position decides where. */
  private void consume(OpenedLog log) {
    LogState state = log.owned().state();
    if (!position.decided(state)) {
      return;
    }
    failures.claimed();
    delivered = 0;
    Registrations registrations =
        new Registrations(topicPartition, services, log, this::wanted, filesToRegister);
    ClusterCheck cluster = new ClusterCheck(topicPartition, log.owned(), services, retries);
    registrations.begin(topic.tables(), cluster.result());
    RecordIntake intake =
        new RecordIntake(topicPartition, topic, services, log, position.claimed(log), progress);
    progress.claimed(position.committed());
    progress.end(log.retained().end());
    position.seek(intake.next());
    phase = new Consuming(log, registrations, cluster, intake);
    LOG.info(
        "{}: claimed as entry {} of {}, generation {}, next offset {}",
        topicPartition,
        log.owned().number(),
        log.owned().log().directory(),
        state.generation().number(),
        intake.next());
  }

  /** Continues with the buffered records, or with a seek past offsets that Kafka has deleted. */
  private void answered(Asking asking, RetainedOffsets answer) {
    Consuming consuming = asking.consuming();
    int claimedUnder = consuming.log().retained().leaderEpoch();
    if (answer.leaderEpoch() != claimedUnder || answer.end() < asking.gap().to()) {
      if (!consuming.cluster().result().isDone()) {
        return; // The answer may be of another cluster: each claim would get it again.
      }
      LOG.info(
          "{}", ReadAgainException.ofLeader(topicPartition, claimedUnder, answer).getMessage());
      endClaim(consuming);
      return;
    }
    long to = asking.gap().to();
    consuming.intake().loseOrPass(asking.gap(), answer.earliest());
    phase = consuming;
    if (consuming.intake().next() == to) {
      buffered = asking.buffered();
      position.passed(to);
    } else {
      position.seek(consuming.intake().next());
    }
  }

  private void committed() {
    failures.committed();
    waiting().ifPresent(waits -> position.followGap(waits.next()));
    phase
        .claimed()
        .filter(claimed -> claimed.intake().topicEnded())
        .ifPresent(claimed -> phase = new Ending(claimed, CompletableFuture.completedFuture(true)));
  }

  /** Commits the records that were delivered meanwhile, or opens the log again. */
  private void end(Ending ending) {
    if (ending.commits() && ending.consuming().intake().hasRecords()) {
      flush();
    } else {
      reopen(Reopening.in(0));
    }
  }

  /** Commits the records before a record that waits for long, so that only this one is skipped. */
  private void waitsOn(Resolving resolving) {
    if (committing == null) {
      flush();
    }
    if (committing == null) {
      failures.waitsOn(resolving);
    }
  }

  private void resumeAt(Resolving resolving) {
    failures.resolved();
    position.seek(resolving.offset());
    phase = resolving.consuming();
  }

  private void unresolved(Resolving resolving, Throwable failure) {
    if (failure instanceof CancellationException) {
      return;
    }
    try {
      SessionFailures.Refused refused = failures.refusal(resolving, failure);
      topic.refuse(
          resolving.schemaId(), refused.kind(), refused.reason(), services.monotonic().millis());
      resumeAt(resolving);
    } catch (RejectedRecordException e) {
      refused(resolving, failure, failures.stopping(e));
    } catch (LandingException e) {
      refused(resolving, failure, e);
    }
  }

  /** Commits the records before the refused one. Then pauses the topic or fails the task. */
  private void refused(Resolving resolving, Throwable failure, LandingException stopping) {
    boolean holds = failures.holdsFor(failure);
    if (!holds && !(stopping.getCause() instanceof RejectedRecordException)) {
      throw stopping;
    }
    if (commitsBefore(resolving.consuming(), resolving.offset())) {
      return;
    }
    if (!holds) {
      throw stopping;
    }
    long pauseMs = failures.hold(String.valueOf(stopping.getMessage()));
    phase = new Refused(resolving, services.monotonic().millis() + pauseMs);
  }

  /** Discards uncommitted records, and reopens the log unless the failure is permanent. */
  private void handle(Throwable failure) {
    intake().ifPresent(RecordIntake::abandon);
    if (failure instanceof CancellationException && (closed || phase.claimed().isEmpty())) {
      return;
    }
    if (failure instanceof RejectedRecordException rejected
        && position.groupOffset().orElse(rejected.offset()) < rejected.offset()
        && bounds.landFirstBefore(rejected)) {
      reopen(Reopening.in(0));
      return;
    }
    if (failure instanceof TooManyFilesException full) {
      bounds.endBefore(full);
      reopen(Reopening.in(0));
      return;
    }
    reopen(failures.reopening(failure, phase.claimed().isPresent()));
  }

  private void reopen(Reopening pause) {
    fellBack = false;
    intake().ifPresent(RecordIntake::abandon);
    Optional<Consuming> claimed = phase.claimed();
    claimed.ifPresent(
        given -> {
          long next = Math.max(given.intake().next(), delivered);
          wantedTopic.discard(
              given.log().owned().state().generation(), position.groupOffset().orElse(next), next);
          given.registrations().abandon();
          given.cluster().abandon();
        });
    phase =
        new BackingOff(
            services.monotonic().millis() + pause.pauseMs(),
            pause.fromStaging() ? claimed.map(given -> given.log().owned()) : Optional.empty());
  }
}
