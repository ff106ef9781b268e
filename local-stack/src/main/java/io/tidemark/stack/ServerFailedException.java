package io.tidemark.stack;

/** A failure of a server of the stack; the message ends with the end of its log. */
public final class ServerFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public ServerFailedException(String message) {
    super(message);
  }

  public ServerFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
