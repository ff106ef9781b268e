package io.tidemark.registry.http;

import io.tidemark.registry.http.Reply.Failure;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/** The transport over HTTP/1.1, bounded in time and size. Safe for use by many threads. */
final class HttpTransport implements Transport {
  private final HttpClient client;
  private final int connectTimeoutMs;
  private final int maxAnswerBytes;

  HttpTransport(int connectTimeoutMs, int maxAnswerBytes) {
    this.connectTimeoutMs = connectTimeoutMs;
    this.maxAnswerBytes = maxAnswerBytes;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Duration.ofMillis(connectTimeoutMs))
            .build();
  }

  @Override
  public Reply get(Endpoint endpoint, String path, long timeoutMs) throws InterruptedException {
    URI resource = endpoint.resource(path);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(resource)
            .header("Accept", "application/vnd.schemaregistry.v1+json, application/json");
    endpoint
        .credentials()
        .ifPresent(known -> request.header("Authorization", known.authorization()));
    ReplyReader reader = new ReplyReader(endpoint, resource);
    // Not send() with a time-out on the request: that one ends with the headers, and a body that
    // trickles would hold us for ever.
    CompletableFuture<HttpResponse<Optional<byte[]>>> exchange =
        client.sendAsync(request.build(), headers -> new BoundedBody(maxAnswerBytes));
    try {
      HttpResponse<Optional<byte[]>> response = exchange.get(timeoutMs, TimeUnit.MILLISECONDS);
      return response
          .body()
          .map(body -> reader.read(response.statusCode(), response.headers(), body))
          .orElseGet(
              () ->
                  reader.lasting(
                      "answered with more than "
                          + maxAnswerBytes
                          + " bytes. Another service answers there, or the schema is larger than"
                          + " the limit."));
    } catch (TimeoutException e) {
      return new Failure(
          reader.place()
              + "did not answer within "
              + timeoutMs
              + " ms. The registry is overloaded or hangs, or the network drops packets.",
          true,
          0,
          e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        return failure(reader, failure);
      }
      throw new IllegalStateException(reader.place() + "could not be asked", e);
    } finally {
      // Frees the connection when we leave without an answer; does nothing after one.
      exchange.cancel(true);
    }
  }

  private Failure failure(ReplyReader reader, IOException failure) {
    if (failure instanceof SSLException) {
      return new Failure(
          reader.place()
              + "cannot be reached over TLS: "
              + failure.getMessage()
              + ". Its certificate is not trusted by this JVM, or it does not speak TLS. Check the"
              + " trust store and schema.registry.url.",
          false,
          0,
          failure);
    }
    return new Failure(reader.place() + describe(failure), true, 0, failure);
  }

  private String describe(IOException failure) {
    if (failure instanceof HttpConnectTimeoutException) {
      return "did not accept a connection within "
          + connectTimeoutMs
          + " ms. The host is down, or a firewall drops packets. Check schema.registry.url and the"
          + " network.";
    }
    if (failure instanceof ConnectException) {
      return isUnresolved(failure)
          ? "cannot be reached: its host name is unknown here. Check schema.registry.url and DNS."
          : "cannot be reached: nothing accepts connections there. The registry is down, or the"
              + " address is wrong. Check schema.registry.url.";
    }
    return "broke off its answer: "
        + failure.getMessage()
        + ". The registry is restarting, or something between cut the connection.";
  }

  private static boolean isUnresolved(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException) {
        return true;
      }
    }
    return false;
  }
}
