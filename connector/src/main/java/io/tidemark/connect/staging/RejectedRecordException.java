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

  public RejectedRecordException(RejectedRecord rejected) {
    this(rejected.place(), rejected.reason());
  }

  public RejectedRecordException(RecordPlace place, String reason) {
    super(place + ": " + reason, null, false, false);
    offset = place.offset();
  }

  /** Where the record stands in its topic-partition. */
  public long offset() {
    return offset;
  }
}
