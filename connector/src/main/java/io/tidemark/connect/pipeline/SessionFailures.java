package io.tidemark.connect.pipeline;

import io.tidemark.connect.health.Service;
import io.tidemark.connect.intake.LandingException;
import io.tidemark.connect.intake.PipelineServices;
import io.tidemark.connect.intake.ReclaimLimit;
import io.tidemark.connect.intake.StepFailure;
import io.tidemark.connect.intake.TaskTopic;
import io.tidemark.connect.pipeline.SessionPhase.Resolving;
import io.tidemark.connect.staging.RejectedRecordException;
import io.tidemark.connect.staging.UnroutedException;
import io.tidemark.registry.RegistryRefusedException;
import io.tidemark.registry.SchemaChangedException;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.store.PrintableFailure;
import io.tidemark.store.PrintableText;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.OnRefusal;
import io.tidemark.store.batch.RecordPlace;
import io.tidemark.store.batch.RejectedRecord;
import io.tidemark.store.commit.FencedException;
import io.tidemark.store.publish.PublishingRefusedException;
import io.tidemark.store.schema.SchemaConflictException;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.TableTakenException;
import java.io.IOException;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what a session does after a failure. After a transient failure the log is claimed again,
 * after a pause. A refusal by the topic's tables pauses the topic. Any other permanent failure
 * fails the task. Called by the task's thread only.
 */
final class SessionFailures {
  private static final Logger LOG = LoggerFactory.getLogger(SessionFailures.class);

  // Every reopening appends a claim, which is folded only after a batch. A table that accepts no
  // files for hours (quota, encryption keys) must not fill the log with claims.
  private static final long LONGEST_STAGING_PAUSE_MS = 60_000;

  private static final long REFUSED_PAUSE_MS = 300_000;

  // Doubles up to REFUSED_PAUSE_MS: some of these reopenings also append a claim.
  private static final long FIRST_REFUSED_PAUSE_MS = 10_000;

  private final TopicPartition topicPartition;
  private final TaskTopic topic;
  private final PipelineServices services;
  private final ReadPosition position;
  private final ReclaimLimit reclaims;
  // The key of the wait for a table name that another topic uses.
  private final Object taken = new Object();
  // The key of the wait for tables that refuse the topic's records.
  private final Object refused = new Object();
  private int stagingFailures;
  private int refusals;
  private boolean refusedUntilCommitted;

  SessionFailures(
      TopicPartition topicPartition,
      TaskTopic topic,
      PipelineServices services,
      ReadPosition position) {
    this.topicPartition = topicPartition;
    this.topic = topic;
    this.services = services;
    this.position = position;
    this.reclaims = new ReclaimLimit(services.monotonic(), services.jitter());
  }

  /**
   * A reopening of the log after a failure. If files could not be staged, another task may have
   * fenced this one, so the log is checked before the next claim.
   */
  record Reopening(long pauseMs, boolean fromStaging) {
    static Reopening in(long pauseMs) {
      return new Reopening(pauseMs, false);
    }
  }

  /**
   * Called when the log is claimed, so the store is available. Only the next batch shows whether a
   * quota or a permission still prevents staging.
   */
  void claimed() {
    services.waits().over(taken);
    resolved();
    services.waits().overUnlessRefused(this);
  }

  void committed() {
    release();
    stagingFailures = 0;
    services.waits().over(this);
  }

  /** Ends the waits: another task may own the topic-partition now. */
  void close() {
    release();
    services.waits().over(taken);
    services.waits().over(this);
  }

  void resolved() {
    services.waits().noRecord(topicPartition);
    if (!refusedUntilCommitted) {
      release();
    }
  }

  private void release() {
    services.waits().noRecord(topicPartition);
    refusals = 0;
    refusedUntilCommitted = false;
    topic.release(topicPartition);
    services.waits().over(refused);
  }

  /**
   * Returns how to reopen the log, which was claimed if the session was {@code landing}. Throws a
   * {@link LandingException} if the failure is permanent.
   */
  Reopening reopening(Throwable failure, boolean landing) {
    if (failure instanceof FencedException) {
      long pauseMs = reclaims.next().orElseThrow(() -> claimedInTurn(failure));
      LOG.warn(
          "{}; claiming again in {} ms, unless Connect revokes the topic-partition before",
          PrintableText.messageOf(failure),
          pauseMs);
      return Reopening.in(pauseMs);
    }
    if (failure instanceof TableTakenException) {
      services
          .waits()
          .refused(
              taken,
              topicPartition.toString(),
              Service.STORE,
              "the name or the directory of its table is taken",
              PrintableText.messageOf(failure));
      return Reopening.in(REFUSED_PAUSE_MS);
    }
    if (failure instanceof ReadAgainException) {
      LOG.info("{}; reading the records again that are not committed", failure.getMessage());
      return Reopening.in(0);
    }
    if (failure instanceof IOException) {
      long pauseMs = stagingPauseMs();
      services.waits().failed(this, topicPartition.toString(), failure);
      LOG.info(
          "{}: staging failed; reading again from {} in {} ms", topicPartition, position, pauseMs);
      LOG.debug("{}: staging failed", topicPartition, PrintableFailure.of(failure));
      return new Reopening(pauseMs, true);
    }
    Throwable permanent =
        failure instanceof RejectedRecordException rejected ? stopping(rejected) : failure;
    if (holdsFor(failure)) {
      // Files that the catalog refused have landed, and are registered before the next claim.
      refusedUntilCommitted = landing && !(failure instanceof CatalogConflictException);
      return Reopening.in(hold(StepFailure.reason(permanent)));
    }
    if (permanent instanceof LandingException) {
      throw new LandingException(String.valueOf(permanent.getMessage()), failure);
    }
    throw new LandingException(topicPartition + ": " + StepFailure.reason(failure), failure);
  }

  /** Returns whether only this topic is paused: its records cannot land in its tables. */
  boolean holdsFor(Throwable failure) {
    return services.settings().onRefusal() == OnRefusal.HOLD_TOPIC
        && (failure instanceof SchemaConflictException
            || failure instanceof UnroutedException
            || failure instanceof RejectedRecordException
            || failure instanceof RegistryRefusedException
            || failure instanceof SchemaChangedException
            || failure instanceof PublishingRefusedException
            || failure instanceof CatalogConflictException);
  }

  /** Pauses the topic, and reports the problem. Returns the pause before the next attempt. */
  long hold(String problem) {
    long pauseMs = Math.min(REFUSED_PAUSE_MS, FIRST_REFUSED_PAUSE_MS << Math.min(refusals++, 10));
    topic.hold(topicPartition);
    services
        .waits()
        .refusedByTable(
            refused,
            topic.topic(),
            tableNames(", "),
            PrintableText.line(problem),
            "Meanwhile no topic-partition of the topic is read. The task retries by itself, and at once when it is restarted.");
    if (refusals == 1) {
      LOG.warn(
          "{}: {} The topic is REFUSED; other topics continue. Next attempt in {} ms",
          topicPartition,
          PrintableText.line(problem),
          pauseMs);
    }
    return pauseMs;
  }

  /** Returns {@code none} if no routing rule matches the topic. */
  private String tableNames(String delimiter) {
    return topic.tables().isEmpty()
        ? "none"
        : topic.tables().stream()
            .map(table -> table.name().toString())
            .collect(Collectors.joining(delimiter));
  }

  /** Returns the task's failure by a rejected record, after all earlier records were committed. */
  LandingException stopping(RejectedRecordException rejected) {
    return new LandingException(rejected.getMessage() + " " + skip(rejected.offset()), rejected);
  }

  private String skip(long offset) {
    return "To skip it, stop the connector, alter its offset of %s to %d (PATCH /connectors/%s/offsets), and resume it; all records before it have landed."
        .formatted(topicPartition, offset + 1, services.settings().claimant().connector());
  }

  /** Names the record for which the session waits, after all earlier records were committed. */
  void waitsOn(Resolving resolving) {
    String waits =
        "%s: the record has waited for its schema (%s) for more than a minute. It can land once the registry answers, so skip it only if it is not needed. %s"
            .formatted(
                new RecordPlace(topicPartition, resolving.offset()),
                PrintableText.of(resolving.schemaId().toString()),
                skip(resolving.offset()));
    if (services.waits().waitsOn(topicPartition, waits)) {
      LOG.warn("{}", waits);
    }
  }

  record Refused(RejectedRecord.Kind kind, String reason) {}

  /**
   * Returns why records of a schema id are dead letters. Throws if their table refuses the schema,
   * or if the failure is permanent.
   */
  Refused refusal(Resolving resolving, Throwable failure) throws RejectedRecordException {
    if (failure instanceof SchemaNotFoundException) {
      return new Refused(RejectedRecord.Kind.UNKNOWN_SCHEMA, String.valueOf(failure.getMessage()));
    }
    RecordPlace place = new RecordPlace(topicPartition, resolving.offset());
    if (failure instanceof UnroutedException unrouted) {
      String reason =
          "records with %s have no table: %s"
              .formatted(resolving.schemaId(), PrintableText.messageOf(failure));
      if (unrouted.deadLetters()) {
        return new Refused(RejectedRecord.Kind.UNROUTED, reason);
      }
      throw new RejectedRecordException(
          place,
          reason
              + " With behavior.on.unrouted.records=dead-letter such records would be dead letters.");
    }
    String problem =
        "records with %s cannot land in table %s: %s"
            .formatted(resolving.schemaId(), tableNames(" or "), StepFailure.reason(failure));
    if (failure instanceof SchemaConflictException conflict && conflict.deadLetters()) {
      return new Refused(RejectedRecord.Kind.SCHEMA_CONFLICT, problem);
    }
    if (failure instanceof SchemaConflictException conflict && !conflict.damaged()) {
      throw new RejectedRecordException(
          place,
          conflict.passes()
              ? problem
              : problem
                  + " A corrected schema helps only later records. Skip this record, or skip all records up to the last one with this schema. The second also skips records of other schemas between them.");
    }
    if (failure instanceof RegistryRefusedException) {
      throw new RejectedRecordException(place, problem);
    }
    throw new LandingException(place + ": " + problem, failure);
  }

  private LandingException claimedInTurn(Throwable failure) {
    return new LandingException(
        "%s. Both tasks receive the records of %s and claim it in turn. Stop the other one; if both are of this connector, restart the worker that no longer belongs to the group."
            .formatted(failure.getMessage(), topicPartition),
        failure);
  }

  /** Doubles from failure to failure, until a batch is committed. */
  private long stagingPauseMs() {
    long firstMs = services.settings().backoffMs();
    long doubledMs = firstMs << Math.min(stagingFailures++, 10);
    return Math.max(firstMs, Math.min(LONGEST_STAGING_PAUSE_MS, doubledMs));
  }
}
