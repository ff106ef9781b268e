package io.tidemark.connect.pipeline;

import io.tidemark.connect.batch.DeliveredRecord;
import io.tidemark.connect.batch.RecordPlace;
import io.tidemark.connect.batch.RejectedRecord;
import io.tidemark.connect.commit.FencedException;
import io.tidemark.connect.commit.entry.Generation;
import io.tidemark.connect.commit.entry.LogState;
import io.tidemark.connect.pipeline.SessionPhase.BackingOff;
import io.tidemark.connect.pipeline.SessionPhase.Closed;
import io.tidemark.connect.pipeline.SessionPhase.Consuming;
import io.tidemark.connect.pipeline.SessionPhase.Opening;
import io.tidemark.connect.pipeline.SessionPhase.Resolving;
import io.tidemark.connect.staging.BatchIdentity;
import io.tidemark.connect.staging.LandingPlans;
import io.tidemark.connect.staging.RejectedRecordException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.wire.Framing;
import io.tidemark.registry.wire.SchemaIdReader;
import io.tidemark.registry.wire.UnframedDatumException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
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

  private final TopicPartition topicPartition;
  private final TopicPlans topic;
  private final SchemaIdReader idReader;
  private final PipelineServices services;
  private final AtomicInteger registrationBacklog;
  private final DuelLimit duels;

  private SessionPhase phase;
  private volatile boolean closed;
  private @Nullable OpenBatch batch;
  private @Nullable CompletableFuture<Void> committing;
  private long expected = LogState.UNKNOWN;

  // While the log is empty it cannot tell where to go back to: the first record that was delivered
  // does.
  private long firstDelivered = Long.MAX_VALUE;
  private OptionalLong seek = OptionalLong.empty();
  private volatile long committedNext = LogState.UNKNOWN;

  // The last schema id that was found, so that the usual record needs no look-up.
  private LandingPlans lastPlans = LandingPlans.NONE;
  private @Nullable Framing lastFraming;

  TopicPartitionSession(
      TopicPartition topicPartition,
      TopicPlans topic,
      PipelineServices services,
      AtomicInteger registrationBacklog) {
    this.topicPartition = topicPartition;
    this.topic = topic;
    this.idReader = topic.idReader();
    this.services = services;
    this.registrationBacklog = registrationBacklog;
    this.duels = new DuelLimit(services.clock(), services.jitter());
    this.phase = opening();
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
    return committing != null || !(phase instanceof Consuming);
  }

  /** The next offset by the log: what may be told to the consumer group. */
  OptionalLong committedNext() {
    return committedNext == LogState.UNKNOWN
        ? OptionalLong.empty()
        : OptionalLong.of(committedNext);
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
   * @param idHeader the header that may hold its schema id; null where it has none
   * @param value null for a record without one
   * @return false when it was dropped: it will be delivered again
   */
  boolean accept(
      long offset,
      long timestamp,
      byte @Nullable [] idHeader,
      byte @Nullable [] value,
      DeliveredRecord delivered) {
    if (committedNext == LogState.UNKNOWN) {
      firstDelivered = Math.min(firstDelivered, offset);
    }
    if (!(phase instanceof Consuming consuming)) {
      return false;
    }
    if (offset < expected) {
      LOG.warn(
          "{}: Kafka delivered offset {}, but {} is next: the consumer was moved or the topic made again; opening the "
              + "log again",
          topicPartition,
          offset,
          expected);
      reopenAfter(0);
      return false;
    }
    if (value == null) {
      acceptNull(consuming, offset, delivered);
      return true;
    }
    Framing framing;
    try {
      framing = idReader.read(idHeader, value);
    } catch (UnframedDatumException e) {
      reject(consuming, offset, String.valueOf(e.getMessage()), value.length, delivered);
      return true;
    }
    LandingPlans plans = topic.plans();
    if (plans != lastPlans || !framing.equals(lastFraming)) {
      SchemaId schemaId = framing.id();
      if (plans.find(schemaId) == null) {
        return acceptUnplanned(consuming, schemaId, offset, value.length, delivered);
      }
      lastPlans = plans;
      lastFraming = framing;
    }
    batch(consuming, offset).add(offset, timestamp, framing, value, delivered, plans);
    expected = offset + 1;
    return true;
  }

  private void acceptNull(Consuming consuming, long offset, DeliveredRecord delivered) {
    switch (services.settings().nullValues()) {
      case FAIL ->
          throw new LandingException(
              new RecordPlace(topicPartition, offset)
                  + ": the record has no value (a tombstone), and a table has no place for it. The topic is compacted, "
                  + "or the producer deletes by key. Set behavior.on.null.values=ignore or dead-letter, or move the "
                  + "connector's offset past this record.");
      case IGNORE -> {
        batch(consuming, offset).skip(offset);
        expected = offset + 1;
      }
      case DEAD_LETTER ->
          reject(
              consuming,
              offset,
              "the record has no value (a tombstone), and a table has no place for it. The topic is compacted, or the "
                  + "producer deletes by key. With behavior.on.null.values=ignore such records would be left out.",
              0,
              delivered);
    }
  }

  /** Takes in a record of a schema id that has no plan: yet, or because there is none. */
  private boolean acceptUnplanned(
      Consuming consuming,
      SchemaId schemaId,
      long offset,
      int valueBytes,
      DeliveredRecord delivered) {
    Optional<String> refusal = topic.refusal(schemaId, services.clock().millis());
    if (refusal.isPresent()) {
      reject(consuming, offset, refusal.get(), valueBytes, delivered);
      return true;
    }
    phase = new Resolving(consuming, topic.resolve(schemaId), schemaId, offset);
    return false;
  }

  private void reject(
      Consuming consuming, long offset, String reason, int valueBytes, DeliveredRecord delivered) {
    RecordPlace place = new RecordPlace(topicPartition, offset);
    if (services.deadLetters().isEmpty()) {
      throw new LandingException(place + ": " + reason);
    }
    try {
      batch(consuming, offset)
          .reject(
              new RejectedRecord(
                  place, reason, delivered, (long) valueBytes + delivered.keptBytes()));
    } catch (RejectedRecordException e) {
      throw new LandingException(String.valueOf(e.getMessage()), e);
    }
    expected = offset + 1;
  }

  private OpenBatch batch(Consuming consuming, long offset) {
    if (batch == null) {
      batch = newBatch(consuming.log(), expected == LogState.UNKNOWN ? offset : expected);
    }
    return batch;
  }

  /** The bytes that no worker has been given yet. */
  long unsubmittedBytes() {
    return batch == null ? 0 : batch.unsubmittedBytes();
  }

  /** Hands what is gathered to the workers, though it is less than a chunk. */
  void submitChunk() {
    if (batch != null) {
      batch.submitChunk();
    }
  }

  /** Ends the batch, if there is one, and sends it on its way. None may be on its way already. */
  void flush() {
    if (batch == null) {
      return;
    }
    if (committing != null) {
      throw new IllegalStateException(topicPartition + ": a batch is on its way");
    }
    Consuming under = under();
    long startedMs = services.clock().millis();
    committing =
        batch
            .seal()
            .thenCompose(
                ended ->
                    new BatchDelivery(services, under, ended, startedMs)
                        .deliver(this::wanted, next -> committedNext = next));
    batch = null;
  }

  /** For close(): as {@link #flush}, unless the batch before is still on its way or has failed. */
  void flushIfFree() {
    if (committing != null && committing.isDone() && !committing.isCompletedExceptionally()) {
      committing = null;
    }
    if (committing == null && (phase instanceof Consuming || phase instanceof Resolving)) {
      flush();
    }
  }

  /** Looks at what has become of the work behind; throws when the task cannot go on. */
  void tick() {
    if (committing != null && committing.isDone()) {
      CompletableFuture<Void> done = committing;
      committing = null;
      failure(done).ifPresent(this::handle);
    }
    if (batch != null && batch.landed().isDone()) {
      failure(batch.landed()).ifPresent(this::handle);
    }
    if (batch != null && batch.deadLettered().isDone()) {
      failure(batch.deadLettered()).ifPresent(this::handle);
    }
    if (phase instanceof Opening opening && opening.opened().isDone()) {
      failure(opening.opened())
          .ifPresentOrElse(this::handle, () -> consume(opening.opened().join()));
    } else if (phase instanceof Resolving resolving && resolving.resolved().isDone()) {
      failure(resolving.resolved())
          .ifPresentOrElse(failure -> unresolved(resolving, failure), () -> resumeAt(resolving));
    } else if (phase instanceof BackingOff backingOff
        && committing == null
        && services.clock().millis() >= backingOff.untilMs()) {
      phase = opening();
    }
    if (phase instanceof Consuming consuming && consuming.registrations().all().isDone()) {
      failure(consuming.registrations().all()).ifPresent(this::handle);
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
    phase = new Closed();
  }

  private Opening opening() {
    return new Opening(
        services
            .retries()
            .until(
                topicPartition + ": open",
                this::wanted,
                () -> services.opener().open(topicPartition, topic.table().layout())));
  }

  private boolean wanted() {
    return !closed;
  }

  private void consume(OpenedLog log) {
    Registrations registrations =
        new Registrations(
            topicPartition,
            services.registrar(),
            services.retries(),
            this::wanted,
            registrationBacklog);
    log.toRegister().forEach(registrations::add);
    registrations.addThrough(log.owned().number());
    LogState state = log.owned().state();
    expected = state.next();
    committedNext = state.next();
    if (expected != LogState.UNKNOWN) {
      // Below Kafka's first offset the consumer's reset policy would decide: the gap is counted as
      // lost instead.
      seek = OptionalLong.of(Math.max(expected, log.held().earliest()));
    } else if (state.generation().number() > 1) {
      // The consumer group's offset is of the topic's earlier life.
      seek = OptionalLong.of(log.held().earliest());
    } else if (firstDelivered != Long.MAX_VALUE) {
      seek = OptionalLong.of(firstDelivered);
    }
    phase = new Consuming(log, registrations);
    LOG.info(
        "{}: claimed as entry {} of {}, generation {}, next offset {}",
        topicPartition,
        log.owned().number(),
        log.owned().log().directory(),
        state.generation().number(),
        expected == LogState.UNKNOWN ? "by the consumer group" : expected);
  }

  private void resumeAt(Resolving resolving) {
    seek = OptionalLong.of(resolving.offset());
    phase = resolving.consuming();
  }

  private Consuming under() {
    if (phase instanceof Consuming consuming) {
      return consuming;
    }
    if (phase instanceof Resolving resolving) {
      return resolving.consuming();
    }
    throw new IllegalStateException(topicPartition + ": a batch without a claim");
  }

  private OpenBatch newBatch(OpenedLog log, long first) {
    Generation generation = log.owned().state().generation();
    return new OpenBatch(
        services.staging(),
        new BatchIdentity(
            UUID.randomUUID(),
            topicPartition,
            generation.number(),
            log.stagingDirectory(),
            services.settings().offsetDigits()),
        new BatchDeadLetters(services.deadLetters()),
        first);
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
          resolving.schemaId(), String.valueOf(failure.getMessage()), services.clock().millis());
      resumeAt(resolving);
      return;
    }
    throw new LandingException(
        place
            + ": records with "
            + resolving.schemaId()
            + " cannot land in table "
            + topic.table().name()
            + ": "
            + failure.getMessage(),
        failure);
  }

  /**
   * Sorts a failure of the work behind: what passes leads back to the log, what stays ends the
   * task.
   */
  private void handle(Throwable failure) {
    giveUpBatch();
    if (failure instanceof CancellationException && closed) {
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
      LOG.warn("{}; claiming again in {} ms if records still come", failure.getMessage(), pauseMs);
      reopenAfter(pauseMs);
    } else if (failure instanceof GenerationEndedException) {
      LOG.warn("{}; reading it from its beginning", failure.getMessage());
      reopenAfter(0);
    } else if (failure instanceof IOException) {
      LOG.warn(
          "{}: staging failed; reading again from offset {}",
          topicPartition,
          committedNext,
          failure);
      reopenAfter(services.settings().backoffMs());
    } else if (failure instanceof RejectedRecordException || failure instanceof LandingException) {
      throw new LandingException(String.valueOf(failure.getMessage()), failure);
    } else {
      throw new LandingException(topicPartition + ": " + failure.getMessage(), failure);
    }
  }

  private void reopenAfter(long pauseMs) {
    giveUpBatch();
    phase = new BackingOff(services.clock().millis() + pauseMs);
  }

  private void giveUpBatch() {
    if (batch != null) {
      batch.abandon();
      batch = null;
    }
  }

  private static Optional<Throwable> failure(CompletableFuture<?> done) {
    if (!done.isCompletedExceptionally()) {
      return Optional.empty();
    }
    Throwable failure = done.handle((value, thrown) -> thrown).join();
    while ((failure instanceof CompletionException || failure instanceof UncheckedIOException)
        && failure.getCause() != null) {
      failure = failure.getCause();
    }
    return Optional.of(failure);
  }
}
