package io.tidemark.store.log;

import java.io.IOException;

/**
 * Reports that an append failed with an unknown outcome: the entry may or may not be in the log.
 * {@link NumberedLog#settle} resolves the outcome.
 */
public final class OutcomeUnknownException extends IOException {
  private static final long serialVersionUID = 1L;

  public OutcomeUnknownException(String message, Throwable cause) {
    super(message, cause);
  }
}
