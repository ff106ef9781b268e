package io.tidemark.connect.partitioner;

/**
 * A record that cannot be assigned to a Hive partition; the record is bad data. The record becomes
 * a dead letter, or stops the task if there is no dead letter topic.
 */
public final class UnusableRecordException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Creates the exception; {@code message} contains the problem of the record and its cure. */
  public UnusableRecordException(String message) {
    super(message);
  }
}
