package io.tidemark.registry.http;

/** Sends one request and reads what came of it. */
interface Transport {

  /**
   * Asks an endpoint for a resource, once.
   *
   * @param path begins with a slash
   * @param timeoutMs from the connection to the last byte; at least 1
   */
  Reply get(Endpoint endpoint, String path, long timeoutMs) throws InterruptedException;
}
