package io.tidemark.connect.intake;

import io.tidemark.store.batch.RejectedRecord;
import java.util.concurrent.Future;

/** The dead letter topic, for records that cannot land. Called on the task's thread only. */
@FunctionalInterface
public interface DeadLetterQueue {

  /**
   * Sends a record as it was delivered, with the reason. The future completes when Kafka has
   * acknowledged the record. Throws a {@link RuntimeException} if it cannot be sent.
   */
  Future<?> send(RejectedRecord rejected);
}
