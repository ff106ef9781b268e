package io.tidemark.store.table;

import io.tidemark.store.PrintableText;

/**
 * Reports that the catalog does not respond, or rejects the request temporarily. The same call may
 * succeed later.
 */
public final class CatalogUnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  public CatalogUnavailableException(String message, Throwable cause) {
    super(PrintableText.line(message), cause);
  }
}
