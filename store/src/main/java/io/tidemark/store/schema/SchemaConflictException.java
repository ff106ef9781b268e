package io.tidemark.store.schema;

import io.tidemark.store.PrintableText;

/**
 * A schema cannot be merged with the table schema, or Hive has no type for it. A retry does not
 * help, unless it {@link #passes}.
 */
public final class SchemaConflictException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Kind kind;

  private enum Kind {
    OF_SCHEMA,
    DEAD_LETTERS,
    OF_WORKER,
    PASSING,
    DAMAGED
  }

  public SchemaConflictException(String message) {
    this(message, Kind.OF_SCHEMA);
  }

  private SchemaConflictException(String message, Kind kind) {
    super(PrintableText.line(message));
    this.kind = kind;
  }

  /** The worker has too little time or memory for the schema. Another worker may have more. */
  public static SchemaConflictException ofWorker(String message) {
    return new SchemaConflictException(message, Kind.OF_WORKER);
  }

  /** Returns this conflict for records that are dead letters because of it. */
  public SchemaConflictException withDeadLetters() {
    return new SchemaConflictException(String.valueOf(getMessage()), Kind.DEAD_LETTERS);
  }

  /** A stored schema of a table cannot be read. */
  public static SchemaConflictException ofDamaged(String message) {
    return new SchemaConflictException(message, Kind.DAMAGED);
  }

  /** Something else than the schema is the cause, and ends by itself. */
  public static SchemaConflictException passing(String message) {
    return new SchemaConflictException(message, Kind.PASSING);
  }

  /** Returns whether the table's stored schema is the cause, and not a record's schema. */
  public boolean damaged() {
    return kind == Kind.DAMAGED;
  }

  public boolean passes() {
    return kind == Kind.PASSING;
  }

  /** Returns whether the schema and the table contradict each other, whatever the worker has. */
  public boolean ofSchema() {
    return kind == Kind.OF_SCHEMA;
  }

  /** Returns whether the records are dead letters: no other record of the topic waits. */
  public boolean deadLetters() {
    return kind == Kind.DEAD_LETTERS;
  }
}
