package io.tidemark.registry.http;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * An HTTP request and its answer, bounded in time and size.
 *
 * @param body empty when it was larger than the limit
 */
record Exchange(int status, HttpHeaders headers, Optional<byte[]> body) {

  /**
   * Sends a request and takes in the whole answer.
   *
   * @throws TimeoutException when the last byte did not come in time
   */
  static Exchange send(HttpClient client, HttpRequest request, int maxBytes, long timeoutMs)
      throws IOException, TimeoutException, InterruptedException {
    // Not send() with a time-out on the request: that one ends with the headers, and a body that
    // trickles would hold us for ever.
    CompletableFuture<HttpResponse<Optional<byte[]>>> exchange =
        client.sendAsync(request, headers -> new BoundedBody(maxBytes));
    try {
      HttpResponse<Optional<byte[]>> response =
          exchange.get(Math.max(1, timeoutMs), TimeUnit.MILLISECONDS);
      return new Exchange(response.statusCode(), response.headers(), response.body());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IllegalStateException(request.uri() + " could not be asked", e);
    } finally {
      // Frees the connection when we leave without an answer; does nothing after one.
      exchange.cancel(true);
    }
  }
}
