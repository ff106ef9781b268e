package io.tidemark.store.table;

import io.tidemark.store.PrintableText;

/** The catalog rejects a request, or has an object of others, until an operator acts. */
public final class CatalogConflictException extends Exception {
  private static final long serialVersionUID = 1L;

  public CatalogConflictException(String message) {
    super(PrintableText.line(message));
  }
}
