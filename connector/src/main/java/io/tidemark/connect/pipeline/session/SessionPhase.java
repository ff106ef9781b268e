package io.tidemark.connect.pipeline.session;

import io.tidemark.connect.batch.IncomingRecord;
import io.tidemark.connect.commit.OwnedLog;
import io.tidemark.connect.commit.TopicMetadata.RetainedOffsets;
import io.tidemark.connect.pipeline.intake.Passage;
import io.tidemark.connect.pipeline.intake.RecordIntake;
import io.tidemark.connect.pipeline.opening.OpenedLog;
import io.tidemark.registry.SchemaId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Where a session is; only while consuming does it take records in. */
sealed interface SessionPhase {

  /** The claim under which records are taken in, while there is one. */
  default Optional<Consuming> claimed() {
    return Optional.empty();
  }

  /** The log is being claimed and recovered. */
  record Opening(CompletableFuture<OpenedLog> opened) implements SessionPhase {}

  /** Records are taken in under a claim. */
  record Consuming(
      OpenedLog log, Registrations registrations, ClusterProof proof, RecordIntake intake)
      implements SessionPhase {

    @Override
    public Optional<Consuming> claimed() {
      return Optional.of(this);
    }
  }

  /** A record's schema id is being resolved; taking in goes on at its offset. */
  record Resolving(
      Consuming consuming, CompletableFuture<Void> resolved, SchemaId schemaId, long offset)
      implements SessionPhase {

    @Override
    public Optional<Consuming> claimed() {
      return Optional.of(consuming);
    }
  }

  /**
   * Kafka is asked for its first offset, as records may have been passed over; taking in goes on
   * where that leads.
   *
   * @param passage the offsets that may have been passed over
   * @param held the records that have come since
   */
  record Asking(
      Consuming consuming,
      CompletableFuture<RetainedOffsets> retained,
      Passage passage,
      List<IncomingRecord> held)
      implements SessionPhase {

    @Override
    public Optional<Consuming> claimed() {
      return Optional.of(consuming);
    }
  }

  /**
   * A record cannot land. What came before it is committed; taking in goes on at its offset, and
   * stops the task there. So an operator can skip it alone.
   */
  record Settling(Consuming consuming, long offset) implements SessionPhase {

    @Override
    public Optional<Consuming> claimed() {
      return Optional.of(consuming);
    }
  }

  /**
   * The topic's tables cannot take records of a schema. What came before is committed; at a time,
   * in milliseconds of the monotonic clock, the schema is resolved again.
   */
  record Refused(Consuming consuming, SchemaId schemaId, long offset, long untilMs)
      implements SessionPhase {

    @Override
    public Optional<Consuming> claimed() {
      return Optional.of(consuming);
    }
  }

  /**
   * What was not committed is given up; the log is opened again at a time, in milliseconds of the
   * monotonic clock.
   *
   * @param former the log as it was owned, where files could not be staged
   */
  record BackingOff(long untilMs, Optional<OwnedLog> former) implements SessionPhase {

    /** It lasts for so long that nobody need look every few milliseconds. */
    boolean lastsAt(long nowMs) {
      return untilMs - nowMs > 1_000;
    }
  }

  /** Another task has the topic-partition now. */
  record Closed() implements SessionPhase {}
}
