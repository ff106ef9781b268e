package io.tidemark.connect.pipeline.deadletter;

import io.tidemark.connect.batch.RejectedRecord;
import java.util.concurrent.Future;

/** Where records go that cannot land: a port. Called on the task's thread only. */
@FunctionalInterface
public interface DeadLetterQueue {

  /**
   * Sends a record as it was delivered, with the reason.
   *
   * @return done when Kafka has it
   * @throws RuntimeException it cannot be sent
   */
  Future<?> send(RejectedRecord rejected);
}
