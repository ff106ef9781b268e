package io.tidemark.store.table;

import io.tidemark.store.PrintableText;

/** The catalog does not respond, or rejects the request temporarily. A retry may succeed. */
public final class CatalogUnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  public CatalogUnavailableException(String message, Throwable cause) {
    super(PrintableText.line(message), cause);
  }
}
