package io.tidemark.stack;

import io.tidemark.stack.security.KerberosClient;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client of web servers, without a login or as a principal of Kerberos (SPNEGO). It is created
 * when it is first used, because a certificate is made while the servers start. Safe for use by
 * several threads.
 */
final class WebClient {

  private static final Duration CONNECT = Duration.ofSeconds(30);

  private final Supplier<HttpClient.Builder> builder;
  private final Optional<KerberosClient> principal;
  private @Nullable HttpClient client;

  WebClient(Supplier<HttpClient.Builder> builder, Optional<KerberosClient> principal) {
    this.builder = builder;
    this.principal = principal;
  }

  /** A client without a login and without certificates. */
  WebClient() {
    this(HttpClient::newBuilder, Optional.empty());
  }

  <T> HttpResponse<T> send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    if (principal.isPresent()) {
      request.setHeader("Authorization", principal.get().authorization());
    }
    return client().send(request.build(), handler);
  }

  /** Returns whether the server gets to know the user by a login. */
  boolean logsIn() {
    return principal.isPresent();
  }

  private synchronized HttpClient client() {
    HttpClient existing = client;
    if (existing == null) {
      existing =
          builder
              .get()
              // A data node passes an offer of HTTP/2 on to its own web server, and does not
              // answer.
              .version(HttpClient.Version.HTTP_1_1)
              .connectTimeout(CONNECT)
              .followRedirects(HttpClient.Redirect.NORMAL)
              .build();
      client = existing;
    }
    return existing;
  }
}
