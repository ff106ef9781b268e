package io.tidemark.connect.faults;

import java.util.Optional;

/** The records that the tables of one topic refuse, and what an operator does about them. */
enum Refusal {
  /** There are no such records. */
  NONE,
  /** No table can take their schema, until the registry has the right one. */
  SCHEMA_CORRECTED,
  /** No table can take their schema, and an operator skips them. */
  SCHEMA_SKIPPED,
  /** Their schema is hostile, so it cannot be used, and an operator skips them. */
  POISON_SKIPPED,
  /** No rule names a table for them, until an operator adds one. */
  RULE_ADDED,
  /** No rule names a table for them, and an operator skips them. */
  UNROUTED_SKIPPED,
  /** No rule names a table for them, and they become dead letters. */
  UNROUTED_DEAD_LETTERS;

  /** The kind of these records. */
  Optional<RecordKind> kind() {
    return switch (this) {
      case NONE -> Optional.empty();
      case SCHEMA_CORRECTED, SCHEMA_SKIPPED, POISON_SKIPPED -> Optional.of(RecordKind.REFUSED);
      case RULE_ADDED, UNROUTED_SKIPPED, UNROUTED_DEAD_LETTERS -> Optional.of(RecordKind.UNROUTED);
    };
  }

  /** True if such records need rules by the names of records. */
  boolean byName() {
    return kind().filter(kind -> kind == RecordKind.UNROUTED).isPresent();
  }

  /** True if they wait until an operator has acted. */
  boolean waits() {
    return this != NONE && this != UNROUTED_DEAD_LETTERS;
  }

  /** True if they land after the operator has acted. */
  boolean lands() {
    return this == SCHEMA_CORRECTED || this == RULE_ADDED;
  }
}
