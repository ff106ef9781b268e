package io.tidemark.connect.batch;

/** The effect of a record without a value. */
public enum NullValues {
  /** It stops the task. */
  FAIL,
  /** It is not written, and its offset counts as skipped. */
  IGNORE,
  /** It goes to the dead letter queue. */
  DEAD_LETTER,
  /** It is a row with only its key. Every other record is a row with its key and value. */
  WRITE
}
