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

/**
 * The phase of a session, which accepts records only while it is {@link Consuming}.
 * docs/ARCHITECTURE.md, "Phases of a session", describes them. Times are of the monotonic clock.
 */
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

  record Opening(CompletableFuture<OpenedLog> opened) implements SessionPhase {}

  record Consuming(
      OpenedLog log, Registrations registrations, ClusterCheck cluster, RecordIntake intake)
      implements OfClaim {

    @Override
    public Consuming consuming() {
      return this;
    }
  }

  /** Then the session continues at the record's offset. */
  record Resolving(
      Consuming consuming,
      CompletableFuture<Void> resolved,
      SchemaId schemaId,
      long offset,
      long sinceMs)
      implements OfClaim {}

  /** {@code buffered} has the records that were delivered after the request was started. */
  record Asking(
      Consuming consuming,
      CompletableFuture<RetainedOffsets> retained,
      OffsetGap gap,
      List<IncomingRecord> buffered)
      implements OfClaim {}

  /** Ends a batch before a record that cannot land, so that an operator skips only this one. */
  record Committing(Consuming consuming, long offset) implements OfClaim {}

  /** The records before the refused record are committed. */
  record Refused(Resolving resolving, long untilMs) implements OfClaim {
    @Override
    public Consuming consuming() {
      return resolving.consuming();
    }
  }

  /**
   * The claim ends, because the topic may have been deleted or recreated. {@code topicEnded} says
   * whether it was: then the open batch is committed. Otherwise it is discarded: it can be read
   * again.
   */
  record Ending(Consuming consuming, CompletableFuture<Boolean> topicEnded) implements OfClaim {
    boolean commits() {
      return StepFailure.of(topicEnded).isEmpty() && topicEnded.getNow(false);
    }
  }

  /** {@code former} is the log with the earlier claim, if files could not be staged. */
  record BackingOff(long untilMs, Optional<OwnedLog> former) implements SessionPhase {

    /** Returns whether the phase lasts for more than a second. */
    boolean lastsAt(long nowMs) {
      return untilMs - nowMs > 1_000;
    }
  }

  record Closed() implements SessionPhase {}
}
