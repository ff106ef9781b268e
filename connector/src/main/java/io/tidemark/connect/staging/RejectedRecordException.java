package io.tidemark.connect.staging;

import io.tidemark.store.batch.RecordPlace;
import io.tidemark.store.batch.RejectedRecord;

/**
 * Reports that a record cannot land. If the record becomes a dead letter, the message is the dead
 * letter's reason. Otherwise the batch of the record must not be committed. The exception has no
 * stack trace, because the cause is the record, not the code.
 */
public final class RejectedRecordException extends Exception {
  private static final long serialVersionUID = 1L;

  private final long offset;
  private final boolean refusesTopic;

  public RejectedRecordException(RejectedRecord rejected) {
    this(rejected.place(), rejected.reason());
  }

  public RejectedRecordException(RecordPlace place, String reason) {
    this(place, reason, false);
  }

  RejectedRecordException(RecordPlace place, String reason, boolean refusesTopic) {
    super(place + ": " + reason, null, false, false);
    this.offset = place.offset();
    this.refusesTopic = refusesTopic;
  }

  /** Returns whether the record must wait until the configuration has a table for it. */
  public boolean refusesTopic() {
    return refusesTopic;
  }

  public long offset() {
    return offset;
  }
}
