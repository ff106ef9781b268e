package io.tidemark.registry.http;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * An HTTP request and its response, limited in time and size.
 *
 * @param body empty if it was larger than the limit
 */
record Exchange(int status, HttpHeaders headers, Optional<byte[]> body) {

  /**
   * Sends a request and reads the whole response.
   *
   * @throws TimeoutException if the last byte did not arrive in time
   */
  static Exchange send(HttpClient client, HttpRequest.Builder request, int maxBytes, long timeoutMs)
      throws IOException, TimeoutException, InterruptedException {
    // Not sendAsync(): it starts a thread for each request if there are few processors. The
    // time-out of a request ends with the headers, so the body has a separate one.
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    try {
      HttpResponse<Optional<byte[]>> response =
          client.send(
              request.timeout(Duration.ofMillis(timeoutMs)).build(),
              headers -> new BoundedBody(maxBytes, deadline - System.nanoTime()));
      return new Exchange(response.statusCode(), response.headers(), response.body());
    } catch (HttpConnectTimeoutException e) {
      throw e;
    } catch (HttpTimeoutException e) {
      TimeoutException late =
          new TimeoutException("no complete response within " + timeoutMs + " ms");
      late.initCause(e);
      throw late;
    }
  }
}
