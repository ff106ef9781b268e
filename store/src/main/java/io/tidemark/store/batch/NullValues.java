package io.tidemark.store.batch;

/** The effect of a record without a value. */
public enum NullValues {
  /** {@code on.refusal} applies to the record. */
  FAIL,
  /** The offset counts as skipped. */
  IGNORE,
  DEAD_LETTER,
  /** The record becomes a row with its key. All other rows have key and value. */
  WRITE
}
