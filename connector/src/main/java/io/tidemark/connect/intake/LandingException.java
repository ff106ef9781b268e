package io.tidemark.connect.intake;

import io.tidemark.store.PrintableText;

/** Stops the task until an operator acts. The message has place, problem, cause and cure. */
public final class LandingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LandingException(String message) {
    super(PrintableText.line(message));
  }

  public LandingException(String message, Throwable cause) {
    super(PrintableText.line(message), cause);
  }
}
