package io.tidemark.connect.pipeline.session;

import io.tidemark.connect.batch.IncomingRecord;
import io.tidemark.connect.commit.OwnedLog;
import io.tidemark.connect.commit.TopicMetadata.RetainedOffsets;
import io.tidemark.connect.commit.entry.LogState;
import io.tidemark.connect.health.TopicPartitionProgress;
import io.tidemark.connect.pipeline.intake.Passage;
import io.tidemark.connect.pipeline.intake.PipelineServices;
import io.tidemark.connect.pipeline.intake.RecordIntake;
import io.tidemark.connect.pipeline.intake.TopicBindings;
import io.tidemark.connect.pipeline.opening.OpenedLog;
import io.tidemark.connect.pipeline.opening.WantedTopic;
import io.tidemark.connect.pipeline.retry.StepFailure;
import io.tidemark.connect.pipeline.session.SessionFailures.WayBack;
import io.tidemark.connect.pipeline.session.SessionPhase.Asking;
import io.tidemark.connect.pipeline.session.SessionPhase.BackingOff;
import io.tidemark.connect.pipeline.session.SessionPhase.Closed;
import io.tidemark.connect.pipeline.session.SessionPhase.Consuming;
import io.tidemark.connect.pipeline.session.SessionPhase.Opening;
import io.tidemark.connect.pipeline.session.SessionPhase.Refused;
import io.tidemark.connect.pipeline.session.SessionPhase.Resolving;
import io.tidemark.connect.pipeline.session.SessionPhase.Settling;
import io.tidemark.connect.pipeline.setting.LandingException;
import io.tidemark.connect.staging.RejectedRecordException;
import io.tidemark.connect.staging.TooManyFilesException;
import io.tidemark.registry.SchemaId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A topic-partition that is assigned to this task, from open() to close(): claims its log, takes
 * records into a batch, and commits, publishes and registers the batches one after another. Called
 * by the task's thread only, and never waits there: services are called on other threads, and
 * {@link #tick} looks at the results.
 *
 * <p>There is one way back from every failure that passes ({@link SessionFailures}): discard what
 * is not committed, claim again, and read on from the log's end ({@link ReadPosition}).
 *
 * <p>It is long because it is one state machine: every change of {@link SessionPhase} stands here,
 * so that they can be read beside each other. What a phase asks and decides has classes of its own.
 */
public final class TopicPartitionSession {
  private static final Logger LOG = LoggerFactory.getLogger(TopicPartitionSession.class);

  private final TopicPartition topicPartition;
  private final TopicBindings topic;
  private final PipelineServices services;
  private final AtomicInteger filesToRegister;
  private final ReadPosition position = new ReadPosition();
  private final TopicPartitionProgress progress;
  private final SessionFailures failures;
  private final WantedTopic wantedTopic;
  private final BatchBounds bounds;

  private SessionPhase phase;
  private volatile boolean closed;
  private @Nullable CompletableFuture<Void> committing;
  private List<IncomingRecord> held = List.of();

  public TopicPartitionSession(
      TopicPartition topicPartition,
      TopicBindings topic,
      PipelineServices services,
      AtomicInteger filesToRegister) {
    this.topicPartition = topicPartition;
    this.topic = topic;
    this.services = services;
    this.filesToRegister = filesToRegister;
    this.progress = new TopicPartitionProgress(services.monotonic());
    this.failures = new SessionFailures(topicPartition, topic, services, position);
    this.wantedTopic = new WantedTopic(services.topics(), topicPartition, this::wanted);
    this.bounds = new BatchBounds(topicPartition);
    this.phase = opening(Optional.empty());
  }

  public TopicPartition topicPartition() {
    return topicPartition;
  }

  /** Records can be taken in. */
  boolean consuming() {
    return phase instanceof Consuming;
  }

  /** Records should be delivered. */
  public boolean reading() {
    return consuming() && !topic.hold().holds(topicPartition);
  }

  /** A batch is on its way to the log or its table. */
  public boolean committing() {
    return committing != null;
  }

  /** Something goes on behind that {@link #tick} is to look at soon. */
  public boolean busy() {
    boolean pausing =
        phase instanceof Refused
            || (phase instanceof BackingOff backingOff
                && backingOff.lastsAt(services.monotonic().millis()));
    return committing != null || !(phase instanceof Consuming || pausing);
  }

  /** Where it is read. */
  public ReadPosition position() {
    return position;
  }

  /** How far it is, for those who ask. */
  public TopicPartitionProgress progress() {
    return progress;
  }

  /** What it waits for, where a record should come and nothing is on its way to the log. */
  public Optional<OpenTail.Waiting> waiting() {
    return phase instanceof Consuming consuming
            && committing == null
            && consuming.proof().given().isDone()
        ? Optional.of(new OpenTail.Waiting(consuming, consuming.intake().expected()))
        : Optional.empty();
  }

  /** Has it decided about offsets that no record follows. It must be {@link #waiting}. */
  public void pass(Passage passage) {
    waiting().ifPresent(waits -> ask(waits.under(), passage, new ArrayList<>()));
  }

  /** Kafka has lost records that it had delivered, or does not tell the truth: the log decides. */
  public void endBelow(long expected, long end) {
    LOG.warn(
        "{}: Kafka ends at offset {}, but {} is next: records were truncated or the topic made again; opening the log "
            + "again",
        topicPartition,
        end,
        expected);
    reopen(WayBack.in(0));
  }

  /** The framework should be asked to commit offsets: it tells the consumer's position then. */
  public boolean wantsCommit() {
    return (phase instanceof Opening && position.wanted())
        || proof().filter(ClusterProof::wantsCommit).isPresent();
  }

  /** The proof of the present claim, given or not; none between claims. */
  public Optional<ClusterProof> proof() {
    return phase.claimed().map(Consuming::proof);
  }

  /** Records that were held until Kafka had answered, and are to be accepted now; asked once. */
  public List<IncomingRecord> takeHeld() {
    List<IncomingRecord> taken = held;
    held = List.of();
    return taken;
  }

  /**
   * Takes a record in.
   *
   * @return false when it was held, or dropped: then it will be delivered again
   */
  public boolean accept(IncomingRecord record) {
    long offset = record.offset();
    if (phase instanceof Asking asking) {
      asking.held().add(record);
      return false;
    }
    if (!(phase instanceof Consuming consuming)) {
      return false;
    }
    RecordIntake intake = consuming.intake();
    if (offset < intake.expected()) {
      LOG.warn(
          "{}: Kafka delivered offset {}, but {} is next: the consumer was moved, the topic made again, or records were "
              + "truncated; opening the log again",
          topicPartition,
          offset,
          intake.expected());
      position.fellBackTo(offset);
      reopen(WayBack.in(0));
      return false;
    }
    if (intake.mayHaveJumped(offset)) {
      Passage before = new Passage(offset, Passage.Evidence.RECORD_BEHIND);
      ask(consuming, before, new ArrayList<>(List.of(record)));
      return false;
    }
    if (bounds.endBefore(offset)) {
      if (settles(consuming, offset)) {
        return false;
      }
      bounds.reached(offset);
    }
    Optional<SchemaId> unresolved;
    try {
      unresolved = intake.take(record);
    } catch (RejectedRecordException e) {
      if (settles(consuming, offset)) {
        return false;
      }
      throw failures.stopping(e);
    }
    if (unresolved.isEmpty()) {
      if (bounds.rejected(offset)) {
        intake.submitChunk(); // Whether it is bad after all need not wait for the next flush.
      }
      return true;
    }
    SchemaId schemaId = unresolved.get();
    phase = new Resolving(consuming, topic.resolve(schemaId), schemaId, offset);
    return false;
  }

  /** Commits what came before an offset, and goes on there then; false where there is nothing. */
  private boolean settles(Consuming consuming, long offset) {
    if (committing == null && !consuming.intake().hasRecords()) {
      return false;
    }
    phase = new Settling(consuming, offset);
    return true;
  }

  private void ask(Consuming consuming, Passage passage, List<IncomingRecord> behind) {
    CompletableFuture<RetainedOffsets> retained =
        services
            .retries()
            .until(
                topicPartition.toString(),
                "ask for the first offset",
                this::wanted,
                () -> services.topics().retainedOffsets(topicPartition));
    phase = new Asking(consuming, retained, passage, behind);
  }

  /**
   * Every offset below it is in the log or in the batch that {@link #flush} would end; {@link
   * LogState#UNKNOWN} where that is not known.
   */
  public long takenThrough() {
    return phase instanceof Asking
        ? LogState.UNKNOWN
        : intake().map(RecordIntake::expected).orElse((long) LogState.UNKNOWN);
  }

  /** What takes the records in under the present claim; none between claims. */
  public Optional<RecordIntake> intake() {
    return phase.claimed().map(Consuming::intake);
  }

  /**
   * As {@link RecordIntake#scattered}, for the batch that takes records now. Asked for each one.
   */
  public boolean scattered() {
    return phase instanceof Consuming consuming && consuming.intake().scattered();
  }

  /** Ends the batch, if there is one, and sends it on its way. None may be on its way already. */
  public void flush() {
    Consuming claimed = phase.claimed().orElse(null);
    if (claimed == null || !claimed.intake().hasBatch()) {
      return;
    }
    if (!consuming() && !claimed.intake().hasRecords()) {
      return; // Records are on their way into the batch.
    }
    if (committing != null) {
      throw new IllegalStateException(topicPartition + ": a batch is on its way");
    }
    committing =
        new BatchCommit(
                topicPartition,
                topic,
                services,
                claimed,
                this::wanted,
                position::committed,
                progress)
            .run(claimed.intake().endBatch());
  }

  /** For close(): gives up at once what waits for a proof that cannot come meanwhile. */
  public void leaveUnproved() {
    proof().filter(proof -> !proof.canCome()).ifPresent(ClusterProof::abandon);
  }

  /** For close(): as {@link #flush}, unless the batch before is still on its way or has failed. */
  public void flushIfFree() {
    if (committing != null && committing.isDone() && !committing.isCompletedExceptionally()) {
      committing = null;
    }
    if (committing == null && proof().filter(proof -> !proof.given().isDone()).isEmpty()) {
      flush();
    }
  }

  /** Looks at what has become of the work behind; throws when the task cannot go on. */
  public void tick() {
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
              claimed.intake().lookAtGaps();
              claimed.intake().failure().ifPresent(this::handle);
              StepFailure.of(claimed.proof().given()).ifPresent(this::handle);
            });
    if (phase instanceof Opening opening && opening.opened().isDone()) {
      StepFailure.of(opening.opened())
          .ifPresentOrElse(this::handle, () -> consumeOnceDecided(opening.opened().join()));
    } else if (phase instanceof Asking asking && asking.retained().isDone()) {
      StepFailure.of(asking.retained())
          .ifPresentOrElse(this::handle, () -> answered(asking, asking.retained().join()));
    } else if (phase instanceof Resolving resolving && resolving.resolved().isDone()) {
      StepFailure.of(resolving.resolved())
          .ifPresentOrElse(failure -> unresolved(resolving, failure), () -> resumeAt(resolving));
    } else if (phase instanceof Settling settling && committing == null) {
      flush();
      if (committing == null) {
        position.seek(settling.offset());
        phase = settling.consuming();
      }
    } else if (phase instanceof Refused refused
        && services.monotonic().millis() >= refused.untilMs()) {
      phase =
          new Resolving(
              refused.consuming(),
              topic.resolve(refused.schemaId()),
              refused.schemaId(),
              refused.offset());
    } else if (phase instanceof BackingOff backingOff
        && committing == null
        && services.monotonic().millis() >= backingOff.untilMs()) {
      phase = opening(backingOff.former());
    }
    if (phase instanceof Consuming consuming
        && consuming.intake().beyondEnd()
        && consuming.proof().given().isDone()) {
      // Only now is it certain that the end offset was told of the cluster that is consumed.
      position.fellBackTo(consuming.intake().expected());
      reopen(WayBack.in(0));
    }
    if (phase instanceof Consuming consuming && consuming.registrations().all().isDone()) {
      StepFailure.of(consuming.registrations().all()).ifPresent(this::handle);
    }
  }

  /** What is on its way, for close() to wait for. */
  public CompletableFuture<Void> underWay() {
    return committing == null ? CompletableFuture.completedFuture(null) : committing;
  }

  /**
   * Lets go: nothing more is begun, and what is not on its way is given up. The next claim clears
   * up behind.
   */
  public void close() {
    closed = true;
    intake().ifPresent(RecordIntake::abandon);
    proof().ifPresent(ClusterProof::abandon);
    failures.close();
    phase = new Closed();
  }

  private Opening opening(Optional<OwnedLog> former) {
    return new Opening(
        services
            .retries()
            .until(
                topicPartition.toString(),
                "open",
                this::wanted,
                services.opener().opening(topicPartition, topic.tables(), former, wantedTopic)));
  }

  private boolean wanted() {
    return !closed;
  }

  private void consumeOnceDecided(OpenedLog log) {
    if (position.decided(log.owned().state())) {
      consume(log);
    }
  }

  private void consume(OpenedLog log) {
    failures.claimed();
    Registrations registrations =
        new Registrations(topicPartition, services, log, this::wanted, filesToRegister);
    LogState state = log.owned().state();
    registrations.begin(topic.tables());
    RecordIntake intake =
        new RecordIntake(topicPartition, topic, services, log, position.claimed(log), progress);
    progress.claimed(position.committed());
    progress.end(log.retained().end());
    position.seek(intake.expected());
    phase =
        new Consuming(
            log,
            registrations,
            new ClusterProof(topicPartition, log.owned(), services, this::wanted),
            intake);
    LOG.info(
        "{}: claimed as entry {} of {}, generation {}, next offset {}",
        topicPartition,
        log.owned().number(),
        log.owned().log().directory(),
        state.generation().number(),
        intake.expected());
  }

  /**
   * Takes up again where Kafka's answer leads: with the records that are held, or behind what Kafka
   * no longer has, where they are delivered again.
   */
  private void answered(Asking asking, RetainedOffsets answer) {
    Consuming consuming = asking.consuming();
    int claimedUnder = consuming.log().retained().leaderEpoch();
    if (answer.leaderEpoch() != claimedUnder) {
      handle(new LeaderChangedException(topicPartition, claimedUnder, answer));
      return;
    }
    long to = asking.passage().to();
    consuming.intake().decide(asking.passage(), answer.earliest());
    phase = consuming;
    if (consuming.intake().expected() == to) {
      held = asking.held();
      position.passed(to);
    } else {
      position.seek(consuming.intake().expected());
    }
  }

  private void committed() {
    failures.committed();
    waiting().ifPresent(waits -> position.followTail(waits.expected()));
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

  /** What came before lands; then the topic is held, or the task stops. */
  private void refused(Resolving resolving, Throwable failure, LandingException stopping) {
    boolean holds = failures.holdsFor(failure);
    if (!holds && !(stopping.getCause() instanceof RejectedRecordException)) {
      throw stopping;
    }
    if (settles(resolving.consuming(), resolving.offset())) {
      return;
    }
    if (!holds) {
      throw stopping;
    }
    long pauseMs = failures.hold(String.valueOf(stopping.getMessage()));
    phase =
        new Refused(
            resolving.consuming(),
            resolving.schemaId(),
            resolving.offset(),
            services.monotonic().millis() + pauseMs);
  }

  /** Discards what is not committed, and goes the way back to the log if there is one. */
  private void handle(Throwable failure) {
    intake().ifPresent(RecordIntake::abandon);
    if (failure instanceof CancellationException && (closed || phase.claimed().isEmpty())) {
      return;
    }
    if (failure instanceof RejectedRecordException rejected
        && position.groupOffset().orElse(rejected.offset()) < rejected.offset()
        && bounds.landFirstBefore(rejected)) {
      reopen(WayBack.in(0));
      return;
    }
    if (failure instanceof TooManyFilesException full) {
      bounds.endBefore(full);
      reopen(WayBack.in(0));
      return;
    }
    reopen(failures.wayBack(failure, phase.claimed().isPresent()));
  }

  private void reopen(WayBack back) {
    intake().ifPresent(RecordIntake::abandon);
    Optional<Consuming> claimed = phase.claimed();
    claimed.ifPresent(
        given -> {
          given.registrations().abandon();
          given.proof().abandon();
        });
    phase =
        new BackingOff(
            services.monotonic().millis() + back.pauseMs(),
            back.fromStaging() ? claimed.map(given -> given.log().owned()) : Optional.empty());
  }
}
