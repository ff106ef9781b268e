package io.tidemark.store.log;

import java.io.IOException;

/** An entry may or may not be in the log. {@link NumberedLog#resolve} resolves the outcome. */
public final class OutcomeUnknownException extends IOException {
  private static final long serialVersionUID = 1L;

  public OutcomeUnknownException(String message, Throwable cause) {
    super(message, cause);
  }
}
