package io.tidemark.stack;

/** A server of the stack did not do what it was asked for; the message ends with its log. */
public final class ServerFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public ServerFailedException(String message) {
    super(message);
  }

  public ServerFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
