package io.tidemark.store.log;

import io.tidemark.store.PrintableText;

/** A file of the log is missing, damaged or contradictory. An operator must act. */
public final class CorruptLogException extends Exception {
  private static final long serialVersionUID = 1L;

  public CorruptLogException(String message) {
    super(PrintableText.line(message));
  }

  public CorruptLogException(String message, Throwable cause) {
    super(PrintableText.line(message), cause);
  }
}
