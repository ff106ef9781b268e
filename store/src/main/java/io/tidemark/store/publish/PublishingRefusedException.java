package io.tidemark.store.publish;

import io.tidemark.store.PrintableText;

/** Reports that a committed file cannot be published until an operator acts. */
public final class PublishingRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  public PublishingRefusedException(String message) {
    super(PrintableText.line(message));
  }
}
