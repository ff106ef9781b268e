package io.tidemark.connect.staging;

import io.tidemark.connect.batch.RejectedRecord;

/** A record cannot land, and nothing takes it in: the batch that holds it must not be committed. */
public final class RejectedRecordException extends Exception {
  private static final long serialVersionUID = 1L;

  public RejectedRecordException(RejectedRecord rejected) {
    super(rejected.toString());
  }
}
