package io.tidemark.store.schema;

import io.tidemark.store.PrintableText;
import org.apache.avro.Schema;

/**
 * A schema cannot be merged with the table schema, or Hive has no type for it. A retry does not
 * help, unless it {@link #passes}.
 */
public final class SchemaConflictException extends Exception {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN_CHARS = 200;

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

  /** A table schema and a writer schema cannot be merged. */
  static SchemaConflictException between(String path, Schema t, Schema w, String problem) {
    return new SchemaConflictException(
        "Field %s: the table has %s, the record's schema has %s: %s, so no schema can read both. Give the new schema a topic of its own, or a field of another name."
            .formatted(PrintableText.of(path), shown(t), shown(w), problem));
  }

  /** Types at one place have neither one name nor an alias, so they are not versions of one. */
  static SchemaConflictException betweenTypes(String path, Schema t, Schema w) {
    return new SchemaConflictException(
        "%s has %s, the record's schema has %s: these are different types, because neither their names, without namespaces, nor an alias agree. Give each type of record a table of its own (record2table.map) or a topic of its own. If %s is only a new name, list %s among its aliases."
            .formatted(
                path.equals(t.getName())
                    ? "The table"
                    : "Field " + PrintableText.of(path) + ": the table",
                shown(t),
                shown(w),
                PrintableText.of(w.getFullName()),
                PrintableText.of(t.getFullName())));
  }

  private static String shown(Schema schema) {
    return switch (schema.getType()) {
      case RECORD, ENUM, FIXED ->
          schema.getType().getName() + " " + PrintableText.of(schema.getFullName());
      default -> PrintableText.of(schema.toString(), SHOWN_CHARS);
    };
  }
}
