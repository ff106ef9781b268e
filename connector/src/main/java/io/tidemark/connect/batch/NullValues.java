package io.tidemark.connect.batch;

/** What a record without a value does. */
public enum NullValues {
  /** It stops the task. */
  FAIL,
  /** It is left out, and its offset counts as skipped. */
  IGNORE,
  /** It goes to the dead letter queue. */
  DEAD_LETTER,
  /** It is a row of its key alone, and each other record one of its key and value. */
  WRITE
}
