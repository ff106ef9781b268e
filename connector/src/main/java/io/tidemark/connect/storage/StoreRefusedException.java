package io.tidemark.connect.storage;

import java.io.IOException;

/**
 * The store answers, and refuses a call until an operator has changed something: a quota, a limit
 * of a directory, a boundary. Like an outage it passes, so the call is tried again; the message
 * says what has to be done.
 */
public final class StoreRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  public StoreRefusedException(String message) {
    super(message);
  }

  public StoreRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
