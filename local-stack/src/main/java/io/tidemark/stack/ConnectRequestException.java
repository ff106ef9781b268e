package io.tidemark.stack;

/** A request that a worker has refused, with the status and the message of its response. */
public final class ConnectRequestException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int status;

  ConnectRequestException(String request, int status, String body) {
    super("%s answers %d: %s".formatted(request, status, body));
    this.status = status;
  }

  /** Returns the HTTP status. Example: 409 while the group rebalances. */
  public int status() {
    return status;
  }
}
