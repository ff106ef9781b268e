package io.tidemark.connect.table.schema;

import io.tidemark.connect.text.PrintableText;

/**
 * A schema cannot be a table's: it has no common schema with what lies there, or Hive has no type
 * for it. Trying again does not help.
 */
public final class SchemaConflictException extends Exception {
  private static final long serialVersionUID = 1L;

  public SchemaConflictException(String message) {
    super(PrintableText.line(message));
  }
}
