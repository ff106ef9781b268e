package io.tidemark.connect.publish;

import io.tidemark.connect.text.PrintableText;

/** A committed file cannot be published, and trying again will not help: an operator must act. */
public final class TableBlockedException extends Exception {
  private static final long serialVersionUID = 1L;

  public TableBlockedException(String message) {
    super(PrintableText.line(message));
  }
}
