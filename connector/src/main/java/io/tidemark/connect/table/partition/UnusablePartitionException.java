package io.tidemark.connect.table.partition;

import io.tidemark.connect.text.PrintableText;

/** A record's values cannot name a Hive partition; the record is bad data. */
public sealed class UnusablePartitionException extends Exception
    permits UnusableTimestampException {
  private static final long serialVersionUID = 1L;

  public UnusablePartitionException(String message) {
    super(PrintableText.line(message));
  }
}
