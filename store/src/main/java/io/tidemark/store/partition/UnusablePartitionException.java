package io.tidemark.store.partition;

import io.tidemark.store.PrintableText;

/** Reports that a record's values cannot name a Hive partition. The record is bad data. */
public sealed class UnusablePartitionException extends Exception
    permits UnusableTimestampException {
  private static final long serialVersionUID = 1L;

  public UnusablePartitionException(String message) {
    super(PrintableText.line(message));
  }
}
