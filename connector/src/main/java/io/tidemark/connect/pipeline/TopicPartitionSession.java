package io.tidemark.connect.pipeline;

import io.tidemark.connect.batch.IncomingRecord;
import io.tidemark.connect.batch.RecordPlace;
import io.tidemark.connect.commit.FencedException;
import io.tidemark.connect.commit.OwnedLog;
import io.tidemark.connect.commit.entry.LogState;
import io.tidemark.connect.pipeline.SessionPhase.BackingOff;
import io.tidemark.connect.pipeline.SessionPhase.Closed;
import io.tidemark.connect.pipeline.SessionPhase.Consuming;
import io.tidemark.connect.pipeline.SessionPhase.Opening;
import io.tidemark.connect.pipeline.SessionPhase.Resolving;
import io.tidemark.connect.staging.RejectedRecordException;
import io.tidemark.connect.table.TableNameTakenException;
import io.tidemark.connect.text.PrintableFailure;
import io.tidemark.connect.text.PrintableText;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A topic-partition in the hands of this task, from open() to close(): claims its log, takes
 * records into a batch, and commits, publishes and registers the batches one after another. Called
 * by the task's thread only, and never waits there: what waits for a service goes on behind, and
 * {@link #tick} looks at what has become of it.
 *
 * <p>There is one way back from every passing failure: give up what is not committed, claim again,
 * and read on from where the log stands.
 */
final class TopicPartitionSession {
  private static final Logger LOG = LoggerFactory.getLogger(TopicPartitionSession.class);

  // Every way back appends a claim, which stays until a batch follows: a table that takes no files
  // for hours (its quota, its keys) must not fill the log.
  private static final long LONGEST_STAGING_PAUSE_MS = 60_000;

  private static final long REFUSED_PAUSE_MS = 300_000;

  private final TopicPartition topicPartition;
  private final TopicBindings topic;
  private final PipelineServices services;
  private final AtomicInteger filesToRegister;
  private final DuelLimit duels;

  private SessionPhase phase;
  private volatile boolean closed;
  private @Nullable CompletableFuture<Void> committing;
  private int stagingFailures;

  // While the log is empty it cannot tell where to go back to: the first record that was delivered
  // does.
  private long firstDelivered = Long.MAX_VALUE;
  private OptionalLong seek = OptionalLong.empty();
  private volatile long committedNext = LogState.UNKNOWN;

  TopicPartitionSession(
      TopicPartition topicPartition,
      TopicBindings topic,
      PipelineServices services,
      AtomicInteger filesToRegister) {
    this.topicPartition = topicPartition;
    this.topic = topic;
    this.services = services;
    this.filesToRegister = filesToRegister;
    this.duels = new DuelLimit(services.monotonic(), services.jitter());
    this.phase = opening(Optional.empty());
  }

  TopicPartition topicPartition() {
    return topicPartition;
  }

  /** Records should be delivered. */
  boolean consuming() {
    return phase instanceof Consuming;
  }

  /** A batch is on its way to the log or its table. */
  boolean committing() {
    return committing != null;
  }

  /** Something goes on behind that {@link #tick} is to look at soon. */
  boolean busy() {
    boolean pausing =
        phase instanceof BackingOff backingOff && backingOff.lastsAt(services.monotonic().millis());
    return committing != null || !(phase instanceof Consuming || pausing);
  }

  /**
   * What may be told to the consumer group: the next offset by the log, or where the next owner of
   * an empty log is to begin; none while that is where the group stands.
   */
  OptionalLong groupOffset() {
    long next = committedNext;
    if (next != LogState.UNKNOWN) {
      return OptionalLong.of(next);
    }
    return firstDelivered == Long.MAX_VALUE
        ? OptionalLong.empty()
        : OptionalLong.of(firstDelivered);
  }

  /** The proof of the present claim, given or not; none between claims. */
  Optional<ClusterProof> proof() {
    Consuming claimed = claimed();
    return claimed == null ? Optional.empty() : Optional.of(claimed.proof());
  }

  /** Where the consumer is to go; asked once. */
  OptionalLong takeSeek() {
    OptionalLong wanted = seek;
    seek = OptionalLong.empty();
    return wanted;
  }

  /**
   * Takes a record in.
   *
   * @return false when it was dropped: it will be delivered again
   */
  boolean accept(IncomingRecord record) {
    long offset = record.offset();
    if (committedNext == LogState.UNKNOWN) {
      firstDelivered = Math.min(firstDelivered, offset);
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
      reopenAfter(0);
      return false;
    }
    Optional<SchemaId> unresolved = intake.take(record);
    if (unresolved.isEmpty()) {
      return true;
    }
    SchemaId schemaId = unresolved.get();
    phase = new Resolving(consuming, topic.resolve(schemaId), schemaId, offset);
    return false;
  }

  /** The bytes that no worker has been given yet. */
  long unsubmittedBytes() {
    Consuming claimed = claimed();
    return claimed == null ? 0 : claimed.intake().unsubmittedBytes();
  }

  /** The batch should end, as its offsets that do not land are in many ranges. */
  boolean scattered() {
    Consuming claimed = claimed();
    return claimed != null && claimed.intake().scattered();
  }

  /** Submits the chunk that is not full yet. */
  void submitChunk() {
    Consuming claimed = claimed();
    if (claimed != null) {
      claimed.intake().submitChunk();
    }
  }

  /** Ends the batch, if there is one, and sends it on its way. None may be on its way already. */
  void flush() {
    Consuming claimed = claimed();
    if (claimed == null || !claimed.intake().hasBatch()) {
      return;
    }
    if (committing != null) {
      throw new IllegalStateException(topicPartition + ": a batch is on its way");
    }
    committing =
        new BatchCommit(
                topicPartition,
                topic.tables(),
                services,
                claimed,
                this::wanted,
                next -> committedNext = next)
            .run(claimed.intake().endBatch());
  }

  /** For close(): gives up at once what waits for a proof that cannot come meanwhile. */
  void leaveUnproved() {
    proof().filter(proof -> !proof.canCome()).ifPresent(ClusterProof::abandon);
  }

  /** For close(): as {@link #flush}, unless the batch before is still on its way or has failed. */
  void flushIfFree() {
    if (committing != null && committing.isDone() && !committing.isCompletedExceptionally()) {
      committing = null;
    }
    if (committing == null && proof().filter(proof -> !proof.given().isDone()).isEmpty()) {
      flush();
    }
  }

  /** Looks at what has become of the work behind; throws when the task cannot go on. */
  void tick() {
    if (committing != null && committing.isDone()) {
      CompletableFuture<Void> done = committing;
      committing = null;
      StepFailure.of(done).ifPresentOrElse(this::handle, () -> stagingFailures = 0);
    }
    Consuming claimed = claimed();
    if (claimed != null) {
      claimed.intake().failure().ifPresent(this::handle);
      StepFailure.of(claimed.proof().given()).ifPresent(this::handle);
    }
    if (phase instanceof Opening opening && opening.opened().isDone()) {
      StepFailure.of(opening.opened())
          .ifPresentOrElse(this::handle, () -> consume(opening.opened().join()));
    } else if (phase instanceof Resolving resolving && resolving.resolved().isDone()) {
      StepFailure.of(resolving.resolved())
          .ifPresentOrElse(failure -> unresolved(resolving, failure), () -> resumeAt(resolving));
    } else if (phase instanceof BackingOff backingOff
        && committing == null
        && services.monotonic().millis() >= backingOff.untilMs()) {
      phase = opening(backingOff.former());
    }
    if (phase instanceof Consuming consuming && consuming.registrations().all().isDone()) {
      StepFailure.of(consuming.registrations().all()).ifPresent(this::handle);
    }
  }

  /** What is on its way, for close() to wait for. */
  CompletableFuture<Void> underWay() {
    return committing == null ? CompletableFuture.completedFuture(null) : committing;
  }

  /**
   * Lets go: nothing more is begun, and what is not on its way is given up. The next claim clears
   * up behind.
   */
  void close() {
    closed = true;
    giveUpBatch();
    proof().ifPresent(ClusterProof::abandon);
    phase = new Closed();
  }

  private Opening opening(Optional<OwnedLog> former) {
    return new Opening(
        services
            .retries()
            .until(
                topicPartition + ": open",
                this::wanted,
                services.opener().opening(topicPartition, topic.tables(), former, this::wanted)));
  }

  private boolean wanted() {
    return !closed;
  }

  private void consume(OpenedLog log) {
    Registrations registrations =
        new Registrations(topicPartition, services, log, this::wanted, filesToRegister);
    registrations.begin(topic.tables(), log.toRegister(), log.owned().number());
    LogState state = log.owned().state();
    long next = state.next();
    committedNext = next;
    if (next != LogState.UNKNOWN) {
      // Below Kafka's first offset the consumer's reset policy would decide: the gap is counted as
      // lost instead.
      seek = OptionalLong.of(Math.max(next, log.retained().earliest()));
    } else if (state.generation().number() > 1) {
      // The consumer group's offset is of the topic's earlier life.
      seek = OptionalLong.of(log.retained().earliest());
    } else if (firstDelivered != Long.MAX_VALUE) {
      seek = OptionalLong.of(firstDelivered);
    }
    phase =
        new Consuming(
            log,
            registrations,
            new ClusterProof(topicPartition, log.owned(), services, this::wanted),
            new RecordIntake(topicPartition, topic, services, log));
    LOG.info(
        "{}: claimed as entry {} of {}, generation {}, next offset {}",
        topicPartition,
        log.owned().number(),
        log.owned().log().directory(),
        state.generation().number(),
        next == LogState.UNKNOWN ? "by the consumer group" : next);
  }

  private void resumeAt(Resolving resolving) {
    seek = OptionalLong.of(resolving.offset());
    phase = resolving.consuming();
  }

  /** The claim under which records are taken in; null while there is none. */
  private @Nullable Consuming claimed() {
    if (phase instanceof Consuming consuming) {
      return consuming;
    }
    return phase instanceof Resolving resolving ? resolving.consuming() : null;
  }

  private void unresolved(Resolving resolving, Throwable failure) {
    if (failure instanceof CancellationException) {
      return;
    }
    String place = new RecordPlace(topicPartition, resolving.offset()).toString();
    if (failure instanceof SchemaNotFoundException) {
      if (services.deadLetters().isEmpty()) {
        throw new LandingException(place + ": " + failure.getMessage(), failure);
      }
      topic.refuse(
          resolving.schemaId(),
          String.valueOf(failure.getMessage()),
          services.monotonic().millis());
      resumeAt(resolving);
      return;
    }
    throw new LandingException(
        place
            + ": records with "
            + resolving.schemaId()
            + " cannot land in table "
            + topic.tables().stream()
                .map(table -> table.name().toString())
                .collect(Collectors.joining(" or "))
            + ": "
            + StepFailure.reason(failure),
        failure);
  }

  /**
   * Sorts a failure of the work behind: what passes leads back to the log, what stays ends the
   * task.
   */
  private void handle(Throwable failure) {
    giveUpBatch();
    if (failure instanceof CancellationException && (closed || claimed() == null)) {
      return;
    }
    if (failure instanceof FencedException) {
      long pauseMs =
          duels
              .next()
              .orElseThrow(
                  () ->
                      new LandingException(
                          failure.getMessage()
                              + ". Both tasks are given the records of "
                              + topicPartition
                              + " and take it from each other. Stop the other one; if both are of this connector, restart"
                              + " the worker that no longer belongs to the group.",
                          failure));
      LOG.warn(
          "{}; claiming again in {} ms if records still come",
          PrintableText.messageOf(failure),
          pauseMs);
      reopenAfter(pauseMs);
    } else if (failure instanceof TableNameTakenException) {
      LOG.error("{}: {}", topicPartition, failure.getMessage());
      reopenAfter(REFUSED_PAUSE_MS);
    } else if (failure instanceof GenerationEndedException) {
      LOG.warn("{}; reading it from its beginning", PrintableText.messageOf(failure));
      reopenAfter(0);
    } else if (failure instanceof LeaderChangedException) {
      LOG.info("{}; reading again what is not committed", failure.getMessage());
      reopenAfter(0);
    } else if (failure instanceof IOException) {
      long pauseMs = stagingPauseMs();
      LOG.warn(
          "{}: staging failed; reading again from offset {} in {} ms",
          topicPartition,
          committedNext == LogState.UNKNOWN ? firstDelivered : committedNext,
          pauseMs,
          PrintableFailure.of(failure));
      Consuming claimed = claimed();
      reopenAfter(pauseMs, claimed == null ? Optional.empty() : Optional.of(claimed.log().owned()));
    } else if (failure instanceof RejectedRecordException || failure instanceof LandingException) {
      throw new LandingException(String.valueOf(failure.getMessage()), failure);
    } else {
      throw new LandingException(topicPartition + ": " + StepFailure.reason(failure), failure);
    }
  }

  /** Doubles from failure to failure, until a batch is committed. */
  private long stagingPauseMs() {
    long firstMs = services.settings().backoffMs();
    long doubledMs = firstMs << Math.min(stagingFailures++, 10);
    return Math.max(firstMs, Math.min(LONGEST_STAGING_PAUSE_MS, doubledMs));
  }

  private void reopenAfter(long pauseMs) {
    reopenAfter(pauseMs, Optional.empty());
  }

  private void reopenAfter(long pauseMs, Optional<OwnedLog> former) {
    giveUpBatch();
    Consuming claimed = claimed();
    if (claimed != null) {
      claimed.registrations().abandon();
      claimed.proof().abandon();
    }
    phase = new BackingOff(services.monotonic().millis() + pauseMs, former);
  }

  private void giveUpBatch() {
    Consuming claimed = claimed();
    if (claimed != null) {
      claimed.intake().abandon();
    }
  }
}
