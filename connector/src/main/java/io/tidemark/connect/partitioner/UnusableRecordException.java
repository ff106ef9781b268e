package io.tidemark.connect.partitioner;

/**
 * A record that belongs to no Hive partition: the data's fault. It is a dead letter, or stops the
 * task where there is no dead letter topic.
 */
public final class UnusableRecordException extends Exception {
  private static final long serialVersionUID = 1L;

  /** {@code message} says what is wrong with the record, and how to correct it. */
  public UnusableRecordException(String message) {
    super(message);
  }
}
