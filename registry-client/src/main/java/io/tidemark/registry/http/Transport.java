package io.tidemark.registry.http;

/** Sends one request and reads its response. */
interface Transport {

  /**
   * Sends a request to an endpoint, once.
   *
   * @param timeoutMs limit in ms from the connection to the last byte; at least 1
   */
  <T> Reply<T> send(Endpoint endpoint, Request<T> request, long timeoutMs)
      throws InterruptedException;
}
