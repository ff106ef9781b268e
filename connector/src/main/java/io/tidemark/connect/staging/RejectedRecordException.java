package io.tidemark.connect.staging;

import io.tidemark.connect.batch.RecordPlace;
import io.tidemark.connect.batch.RejectedRecord;

/**
 * A record cannot land. Where nothing takes it in, the batch that holds it must not be committed;
 * else this is the reason that goes with it. It has no trace: the record is at fault, not the code.
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

  /** As the other; {@code refusesTopic} tells that the record is good, but has no table. */
  RejectedRecordException(RecordPlace place, String reason, boolean refusesTopic) {
    super(place + ": " + reason, null, false, false);
    this.offset = place.offset();
    this.refusesTopic = refusesTopic;
  }

  /** The record is to wait until its topic has a table for it. */
  public boolean refusesTopic() {
    return refusesTopic;
  }

  /** Where the record stands in its topic-partition. */
  public long offset() {
    return offset;
  }
}
