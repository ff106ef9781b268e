package io.tidemark.connect.storage.log;

import io.tidemark.connect.text.PrintableText;

/**
 * A file of the log cannot be read as an entry. An operator must decide; trying again does not
 * help.
 */
public final class CorruptLogException extends Exception {
  private static final long serialVersionUID = 1L;

  public CorruptLogException(String message) {
    super(PrintableText.line(message));
  }

  public CorruptLogException(String message, Throwable cause) {
    super(PrintableText.line(message), cause);
  }
}
