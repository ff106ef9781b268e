package io.tidemark.store.schema;

import io.tidemark.store.PrintableText;

/**
 * A schema cannot be merged with the table schema, or Hive has no type for it. A retry does not
 * help, unless it {@link #passes}.
 */
public final class SchemaConflictException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean damaged;
  private final boolean passes;

  public SchemaConflictException(String message) {
    this(message, false, false);
  }

  private SchemaConflictException(String message, boolean damaged, boolean passes) {
    super(PrintableText.line(message));
    this.damaged = damaged;
    this.passes = passes;
  }

  /** A stored schema of a table cannot be read. */
  public static SchemaConflictException ofDamaged(String message) {
    return new SchemaConflictException(message, true, false);
  }

  /** Something else than the schema is the cause, and ends by itself. */
  public static SchemaConflictException passing(String message) {
    return new SchemaConflictException(message, false, true);
  }

  /** Returns whether the table's stored schema is the cause, and not a record's schema. */
  public boolean damaged() {
    return damaged;
  }

  public boolean passes() {
    return passes;
  }
}
