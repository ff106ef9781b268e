package io.tidemark.connect.faults;

/** The kind of a produced record. */
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
  /** A record of a schema that no table can take, until the registry has the right one. */
  REFUSED,
  /** A record of a name for which there is no table, unless a rule is added. */
  UNROUTED,
  /** A record that a transform of the connector drops, so that no task receives it. */
  DROPPED;

  /**
   * True if a record of this kind always becomes a row. A setting decides about tombstones, a
   * transform drops some records before the task, and an operator decides about {@link #REFUSED}
   * and {@link #UNROUTED} ones. All others become dead letters.
   */
  boolean lands() {
    return this == EARLIER || this == LATER;
  }

  /** True if a record of this kind becomes a dead letter, or is skipped, without an operator. */
  boolean odd() {
    return this == TRUNCATED || this == UNKNOWN_SCHEMA || this == TOMBSTONE;
  }
}
