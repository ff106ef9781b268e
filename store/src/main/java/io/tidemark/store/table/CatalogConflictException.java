package io.tidemark.store.table;

import io.tidemark.store.PrintableText;

/**
 * Reports that the catalog has an object that the connector must not change, or rejects the request
 * permanently. A retry does not help; an operator must act.
 */
public final class CatalogConflictException extends Exception {
  private static final long serialVersionUID = 1L;

  public CatalogConflictException(String message) {
    super(PrintableText.line(message));
  }
}
