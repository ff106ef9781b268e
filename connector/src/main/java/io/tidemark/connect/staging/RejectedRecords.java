package io.tidemark.connect.staging;

import io.tidemark.store.batch.RejectedRecord;

/**
 * Receives the records of a batch that cannot land. Called by one thread at a time, in the order of
 * the chunks.
 */
@FunctionalInterface
public interface RejectedRecords {

  /** Accepts a record, or throws: its batch must then not be committed. */
  void take(RejectedRecord rejected) throws RejectedRecordException;
}
