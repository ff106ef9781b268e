package io.tidemark.connect.staging;

import io.tidemark.store.batch.RecordPlace;

/**
 * Reports that a record cannot land. If the record becomes a dead letter, the message is the dead
 * letter's reason. Otherwise the batch of the record must not be committed. The exception has no
 * stack trace, because the cause is the record, not the code.
 */
public final class RejectedRecordException extends Exception {
  private static final long serialVersionUID = 1L;

  private final long offset;

  public RejectedRecordException(RecordPlace place, String reason) {
    super(place + ": " + reason, null, false, false);
    this.offset = place.offset();
  }

  public long offset() {
    return offset;
  }
}
