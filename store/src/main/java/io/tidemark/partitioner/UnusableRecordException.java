package io.tidemark.partitioner;

/**
 * Reports that a record cannot be assigned to a Hive partition. The record is bad data: it becomes
 * a dead letter. Without a dead letter topic, {@code on.refusal} applies to it.
 */
public final class UnusableRecordException extends Exception {
  private static final long serialVersionUID = 1L;

  /** {@code message} has the problem of the record and the cure. */
  public UnusableRecordException(String message) {
    super(message);
  }
}
