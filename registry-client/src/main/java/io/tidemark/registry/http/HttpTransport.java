package io.tidemark.registry.http;

import io.tidemark.registry.Printable;
import io.tidemark.registry.http.AccessTokens.NoTokenException;
import io.tidemark.registry.http.Reply.Failure;
import io.tidemark.registry.security.BasicCredentials;
import io.tidemark.registry.security.BearerToken;
import io.tidemark.registry.security.ClientCredentials;
import io.tidemark.registry.security.Credentials;
import io.tidemark.registry.security.Secret;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Sends requests over HTTP/1.1, limited in time and size. Safe for use by many threads.
 *
 * <p>Redirects are followed only on the same host, so that credentials are never sent to another.
 */
final class HttpTransport implements Transport {
  private static final int MAX_REDIRECTS = 5;

  private final HttpSettings settings;
  private final Dialect dialect;
  private final LongSupplier nanoClock;
  private final Clients clients;
  private final Map<ClientCredentials, AccessTokens> tokens = new ConcurrentHashMap<>();

  HttpTransport(HttpSettings settings, Dialect dialect, LongSupplier nanoClock) {
    this.settings = settings;
    this.dialect = dialect;
    this.nanoClock = nanoClock;
    this.clients = new Clients(settings);
  }

  @Override
  public <T> Reply<T> send(Endpoint endpoint, Request<T> request, long timeoutMs)
      throws InterruptedException {
    long deadline = nanoClock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    ReplyReader<T> reader = new ReplyReader<>(endpoint, request, dialect, this::quoted);
    try {
      Optional<Secret> token = token(endpoint, deadline);
      Exchange exchange = exchange(endpoint, request, token, deadline);
      if (exchange.status() == 401 && token.isPresent() && isRenewable(endpoint)) {
        // The token was revoked or rotated early: a new one may be accepted.
        tokens(endpoint).refused(token.get());
        exchange = exchange(endpoint, request, token(endpoint, deadline), deadline);
      }
      return read(reader, exchange, endpoint, request);
    } catch (NoTokenException e) {
      return new Failure<>(
          reader.place() + "was not requested: " + e.getMessage(), e.status(), e.mayPass(), 0, e);
    } catch (TimeoutException e) {
      return new Failure<>(
          reader.place()
              + "did not respond within "
              + timeoutMs
              + " ms. The registry is overloaded or hangs, or the network drops packets.",
          0,
          true,
          0,
          e);
    } catch (IOException e) {
      IoFailure failure = new IoFailure(e, endpoint.base(), this::redact);
      return new Failure<>(
          reader.place() + failure.described(Math.min(settings.connectTimeoutMs(), timeoutMs)),
          0,
          failure.mayPass(),
          0,
          failure.cause());
    }
  }

  private <T> Reply<T> read(
      ReplyReader<T> reader, Exchange exchange, Endpoint endpoint, Request<T> request) {
    int status = exchange.status();
    if (status >= 300 && status < 400) {
      return reader.lasting(
          status,
          "returned HTTP "
              + status
              + ", a redirect"
              + exchange.headers().firstValue("location").map(to -> target(endpoint, to)).orElse("")
              + ". Redirects are followed only on the same host and port, so that credentials are not"
              + " sent to another service"
              + (request.method().equals("GET")
                  ? "."
                  : ", and only if they do not change the request."));
    }
    return exchange
        .body()
        .map(body -> reader.read(status, exchange.headers(), body))
        .orElseGet(
            () ->
                reader.lasting(
                    status,
                    "returned more than "
                        + settings.maxAnswerBytes()
                        + " bytes. Another service responds there, or the schema is larger than"
                        + " schema.registry.max.answer.bytes."));
  }

  /**
   * Returns the response after at most {@link #MAX_REDIRECTS} redirects; else the last redirect.
   */
  private Exchange exchange(
      Endpoint endpoint, Request<?> request, Optional<Secret> token, long deadline)
      throws IOException, TimeoutException, InterruptedException {
    URI resource = endpoint.resource(request.path());
    for (int redirects = 0; ; redirects++) {
      Exchange exchange =
          Exchange.send(
              clients.current(),
              httpRequest(endpoint, request, resource, token),
              settings.maxAnswerBytes(),
              leftMs(deadline));
      Optional<URI> next = next(resource, request, exchange);
      if (next.isEmpty() || redirects == MAX_REDIRECTS) {
        return exchange;
      }
      resource = next.get();
    }
  }

  private HttpRequest.Builder httpRequest(
      Endpoint endpoint, Request<?> request, URI resource, Optional<Secret> token) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(resource)
            .header("Accept", request.accept())
            .method(
                request.method(),
                request
                    .body()
                    .map(body -> HttpRequest.BodyPublishers.ofString(body.text()))
                    .orElseGet(HttpRequest.BodyPublishers::noBody));
    request.body().ifPresent(body -> builder.header("Content-Type", body.mediaType()));
    settings.headers().forEach((name, value) -> builder.setHeader(name, value.value()));
    if (endpoint.credentials().orElse(null) instanceof BasicCredentials basic) {
      builder.setHeader("Authorization", basic.authorization());
    }
    token.ifPresent(bearer -> builder.setHeader("Authorization", "Bearer " + bearer.value()));
    return builder;
  }

  /** Returns the target of a redirect that may be followed: the same host, and never out of TLS. */
  private static Optional<URI> next(URI resource, Request<?> request, Exchange exchange) {
    boolean keepsTheMethod = exchange.status() == 307 || exchange.status() == 308;
    boolean redirects = keepsTheMethod || exchange.status() == 301 || exchange.status() == 302;
    if (!redirects || !(keepsTheMethod || request.method().equals("GET"))) {
      return Optional.empty();
    }
    try {
      return exchange
          .headers()
          .firstValue("location")
          .map(resource::resolve)
          .filter(target -> isSameService(resource, target));
    } catch (IllegalArgumentException e) {
      // A malformed address is not followed: the redirect itself is reported.
      return Optional.empty();
    }
  }

  /**
   * Returns whether the hosts are the same, and the ports too: another port is another service.
   * From HTTP to HTTPS, the port is the same, or 443 in place of 80.
   */
  static boolean isSameService(URI from, URI to) {
    if (to.getHost() == null || !to.getHost().equalsIgnoreCase(from.getHost())) {
      return false;
    }
    boolean toTls = !isTls(from) && isTls(to);
    boolean samePort = port(to) == port(from);
    return toTls
        ? samePort || (port(from) == 80 && port(to) == 443)
        : samePort && to.getScheme().equalsIgnoreCase(from.getScheme());
  }

  private static int port(URI uri) {
    return uri.getPort() >= 0 ? uri.getPort() : isTls(uri) ? 443 : 80;
  }

  private static boolean isTls(URI uri) {
    return uri.getScheme().equalsIgnoreCase("https");
  }

  private String target(Endpoint endpoint, String location) {
    try {
      URI target = endpoint.resource("/").resolve(location);
      return target.getHost() == null || !settings.quotes()
          ? ""
          : " to host " + redact(target.getHost());
    } catch (IllegalArgumentException e) {
      return " to a malformed address";
    }
  }

  private Optional<Secret> token(Endpoint endpoint, long deadline)
      throws NoTokenException, InterruptedException {
    Credentials credentials = endpoint.credentials().orElse(null);
    if (credentials instanceof BearerToken bearer) {
      return Optional.of(bearer.token());
    }
    return isRenewable(endpoint)
        ? Optional.of(tokens(endpoint).token(settings.connectTimeoutMs(), leftMs(deadline)))
        : Optional.empty();
  }

  private static boolean isRenewable(Endpoint endpoint) {
    return endpoint.credentials().orElse(null) instanceof ClientCredentials;
  }

  /** Returns the tokens of an endpoint that uses OAuth. */
  private AccessTokens tokens(Endpoint endpoint) {
    ClientCredentials client = (ClientCredentials) endpoint.credentials().orElseThrow();
    return tokens.computeIfAbsent(client, key -> new AccessTokens(key, clients, nanoClock));
  }

  /** Returns a server's text for a message: in brackets, or empty if messages quote nothing. */
  private String quoted(String text) {
    return text.isEmpty() || !settings.quotes() ? "" : " (" + Printable.of(redact(text)) + ")";
  }

  /** Returns a text without any secret that is sent, or came from a token endpoint. */
  String redact(String text) {
    String redacted = settings.redact(text);
    for (AccessTokens known : tokens.values()) {
      redacted = known.redact(redacted);
    }
    return redacted;
  }

  private long leftMs(long deadline) {
    return Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - nanoClock.getAsLong()));
  }
}
