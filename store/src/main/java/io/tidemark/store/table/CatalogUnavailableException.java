package io.tidemark.store.table;

import io.tidemark.store.PrintableText;
import java.io.IOException;

/** The catalog does not respond, or rejects the request temporarily. A retry may succeed. */
public final class CatalogUnavailableException extends IOException {
  private static final long serialVersionUID = 1L;

  public CatalogUnavailableException(String message, Throwable cause) {
    super(PrintableText.line(message), cause);
  }
}
