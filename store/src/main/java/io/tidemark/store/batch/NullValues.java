package io.tidemark.store.batch;

/** The effect of a record without a value. */
public enum NullValues {
  /** The record stops the task. */
  FAIL,
  /** The record is not written, and its offset counts as skipped. */
  IGNORE,
  /** The record is sent to the dead letter topic. */
  DEAD_LETTER,
  /**
   * The record becomes a row with only its key. Every other record becomes a row with its key and
   * value.
   */
  WRITE
}
