package io.tidemark.connect.table.partition;

import io.tidemark.connect.text.PrintableText;

/** No Hive partition can be made for a record: the data's fault. */
public sealed class UnusablePartitionException extends Exception
    permits UnusableTimestampException {
  private static final long serialVersionUID = 1L;

  public UnusablePartitionException(String message) {
    super(PrintableText.line(message));
  }
}
