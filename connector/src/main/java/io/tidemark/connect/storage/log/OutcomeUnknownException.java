package io.tidemark.connect.storage.log;

import java.io.IOException;

/**
 * Appending an entry failed in such a way that it may or may not stand in the log: {@link
 * NumberedLog#settle} finds out.
 */
public final class OutcomeUnknownException extends IOException {
  private static final long serialVersionUID = 1L;

  public OutcomeUnknownException(String message, Throwable cause) {
    super(message, cause);
  }
}
