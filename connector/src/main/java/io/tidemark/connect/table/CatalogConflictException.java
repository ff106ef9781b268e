package io.tidemark.connect.table;

import io.tidemark.connect.text.PrintableText;

/**
 * The catalog holds something that is not ours to change. Trying again does not help; an operator
 * must act.
 */
public final class CatalogConflictException extends Exception {
  private static final long serialVersionUID = 1L;

  public CatalogConflictException(String message) {
    super(PrintableText.line(message));
  }
}
