package io.tidemark.registry.http;

/** Sends one request and reads what came of it. */
interface Transport {

  /**
   * Asks an endpoint, once.
   *
   * @param timeoutMs from the connection to the last byte; at least 1
   */
  <T> Reply<T> send(Endpoint endpoint, Request<T> request, long timeoutMs)
      throws InterruptedException;
}
