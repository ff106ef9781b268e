package io.tidemark.connect.staging;

import io.tidemark.connect.batch.RejectedRecord;

/**
 * What takes in the records of a batch that cannot land: a port. Called by one thread at a time, in
 * the order of the chunks.
 */
@FunctionalInterface
public interface RejectedRecords {

  /**
   * Takes a record in.
   *
   * @throws RejectedRecordException it is not taken in, and its batch must not be committed
   */
  void take(RejectedRecord rejected) throws RejectedRecordException;
}
