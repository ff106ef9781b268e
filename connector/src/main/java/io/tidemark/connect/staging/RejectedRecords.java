package io.tidemark.connect.staging;

import io.tidemark.store.batch.RejectedRecord;

/**
 * Receives the records of a batch that cannot land: a port. Called by one thread at a time, in the
 * order of the chunks.
 */
@FunctionalInterface
public interface RejectedRecords {

  /**
   * Accepts a record, for example as a dead letter.
   *
   * @throws RejectedRecordException if the record is not accepted: its batch must not be committed
   */
  void take(RejectedRecord rejected) throws RejectedRecordException;
}
