package io.tidemark.connect.faults;

/** What a producer wrote. */
enum RecordKind {
  /** A record of the earlier schema. */
  EARLIER,
  /** A record of the later schema. */
  LATER,
  /** A record whose last bytes are missing. */
  TRUNCATED,
  /** A record of a schema that the registry does not know. */
  UNKNOWN_SCHEMA,
  /** A record without a value. */
  TOMBSTONE,
  /** A record that a transform of the connector drops, so that no task is given it. */
  DROPPED;

  /**
   * Becomes a row; of the others a tombstone has a setting, one may be dropped before it comes to
   * the task, and the rest are dead letters.
   */
  boolean lands() {
    return this == EARLIER || this == LATER;
  }
}
