package io.tidemark.connect.pipeline;

import io.tidemark.connect.intake.OffsetGap;
import io.tidemark.connect.intake.OpenedLog;
import io.tidemark.connect.intake.RecordIntake;
import io.tidemark.connect.intake.StepFailure;
import io.tidemark.registry.SchemaId;
import io.tidemark.store.batch.IncomingRecord;
import io.tidemark.store.commit.OwnedLog;
import io.tidemark.store.commit.TopicMetadata.RetainedOffsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The phase of a session, which accepts records only while it is {@link Consuming}. */
sealed interface SessionPhase {

  /** Returns the claim with which records are accepted; empty between claims. */
  default Optional<Consuming> claimed() {
    return Optional.empty();
  }

  /** A phase in which the session has a claim, and continues with {@code consuming}. */
  sealed interface OfClaim extends SessionPhase {
    Consuming consuming();

    @Override
    default Optional<Consuming> claimed() {
      return Optional.of(consuming());
    }
  }

  /** The log is being claimed and recovered. */
  record Opening(CompletableFuture<OpenedLog> opened) implements SessionPhase {}

  /** The session has a claim and accepts records. */
  record Consuming(
      OpenedLog log, Registrations registrations, ClusterCheck cluster, RecordIntake intake)
      implements OfClaim {

    @Override
    public Consuming consuming() {
      return this;
    }
  }

  /**
   * A record's schema id is being resolved, since a time of the monotonic clock. Then the session
   * continues at the record's offset.
   */
  record Resolving(
      Consuming consuming,
      CompletableFuture<Void> resolved,
      SchemaId schemaId,
      long offset,
      long sinceMs)
      implements OfClaim {}

  /**
   * Kafka's first offset is being requested, because the consumer may have skipped records. The
   * response determines where the session continues.
   *
   * @param gap the offsets that may have been skipped
   * @param buffered the records that were delivered after the request was started
   */
  record Asking(
      Consuming consuming,
      CompletableFuture<RetainedOffsets> retained,
      OffsetGap gap,
      List<IncomingRecord> buffered)
      implements OfClaim {}

  /**
   * The records before an offset are being committed, because the record there cannot land, or
   * because a batch must end there. Then the session continues at the offset. If the record still
   * cannot land, the task fails or the phase becomes {@link Refused}, and an operator needs to skip
   * only this record.
   */
  record Committing(Consuming consuming, long offset) implements OfClaim {}

  /**
   * The topic's tables refuse a schema. The records before the refused record are committed. The
   * schema is resolved again at {@code untilMs}, in milliseconds of the monotonic clock.
   */
  record Refused(Resolving resolving, long untilMs) implements OfClaim {
    @Override
    public Consuming consuming() {
      return resolving.consuming();
    }
  }

  /**
   * The claim ends, because the topic may have been deleted or recreated. {@code topicEnded} says
   * whether it was: then the open batch is committed, because its records cannot be read again.
   * Otherwise it is discarded.
   */
  record Ending(Consuming consuming, CompletableFuture<Boolean> topicEnded) implements OfClaim {
    boolean commits() {
      return StepFailure.of(topicEnded).isEmpty() && topicEnded.getNow(false);
    }
  }

  /**
   * Uncommitted records were discarded. The log is opened again at {@code untilMs}, in milliseconds
   * of the monotonic clock.
   *
   * @param former the log with the earlier claim, if files could not be staged
   */
  record BackingOff(long untilMs, Optional<OwnedLog> former) implements SessionPhase {

    /** Returns whether the phase lasts for more than a second: it need not be checked often. */
    boolean lastsAt(long nowMs) {
      return untilMs - nowMs > 1_000;
    }
  }

  /** The session has ended: another task may own the topic-partition. */
  record Closed() implements SessionPhase {}
}
