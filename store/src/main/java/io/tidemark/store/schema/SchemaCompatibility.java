package io.tidemark.store.schema;

/** The changes of writer schemas that a table accepts. docs/TABLES.md has the result of each. */
public enum SchemaCompatibility {
  /** The table grows to read both schemas. */
  NONE,
  /** The new schema must be able to read the table's records: a new field has a default. */
  BACKWARD,
  /** The table's columns stay: it must be able to read the records, without their new fields. */
  FORWARD,
  /** Both: only fields with a default are added or omitted. */
  FULL;

  boolean needsDefaults() {
    return this == BACKWARD || this == FULL;
  }

  boolean keepsTypes() {
    return this == FORWARD || this == FULL;
  }
}
