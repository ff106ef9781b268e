package io.tidemark.connect.intake;

import io.tidemark.store.batch.RejectedRecord;
import java.util.concurrent.Future;

/**
 * The interface to the dead letter topic, for records that cannot land. Called on the task's thread
 * only.
 */
@FunctionalInterface
public interface DeadLetterQueue {

  /**
   * Sends a record as it was delivered, with the reason.
   *
   * @return a future that completes when Kafka has acknowledged the record
   * @throws RuntimeException if the record cannot be sent
   */
  Future<?> send(RejectedRecord rejected);
}
