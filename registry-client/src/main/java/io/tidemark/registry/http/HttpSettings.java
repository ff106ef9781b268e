package io.tidemark.registry.http;

import io.tidemark.registry.security.ClientCredentials;
import io.tidemark.registry.security.Credentials;
import io.tidemark.registry.security.Secret;
import io.tidemark.registry.security.TlsSettings;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The addresses of a registry, and the limits of requests.
 *
 * <p>A lookup runs in rounds. A round tries each endpoint until one responds. If a round fails with
 * a transient error, the client waits and begins another, up to {@code rounds} in total. The wait
 * before round n + 1 is random between 0 and {@code backoffMs · 2^(n-1)}, at most {@code
 * maxBackoffMs} (exponential backoff with full jitter). It is longer if the registry sends a
 * Retry-After header.
 *
 * @param endpoints the addresses in the order in which they are tried. A client moves the address
 *     that responded last to the front
 * @param headers headers of each request, with values that are treated as secrets
 * @param proxy the proxy of every connection
 * @param tls the TLS settings, for endpoints with https
 * @param connectTimeoutMs maximum time to open a connection, including the TLS handshake, in ms; at
 *     least 1
 * @param requestTimeoutMs maximum time of one request, from connection to last byte, in ms; at
 *     least 1
 * @param totalTimeoutMs maximum time of one lookup with all rounds and waits, in ms; at least 1
 * @param rounds maximum number of rounds, which is one more than the setting {@code max.retries};
 *     at least 1
 * @param backoffMs the longest wait before the second round, in ms; at least 0
 * @param maxBackoffMs the longest wait before any round, in ms, unless Retry-After is longer; at
 *     least {@code backoffMs}
 * @param maxAnswerBytes maximum size of a response in bytes; at least 1
 * @param maxSchemaBytes maximum size of a schema's text with the texts of all that it refers to, in
 *     bytes of UTF-8; at least 1. A larger text is not parsed
 * @param quotes whether messages quote what the server sent
 */
public record HttpSettings(
    List<Endpoint> endpoints,
    Map<String, Secret> headers,
    Optional<InetSocketAddress> proxy,
    TlsSettings tls,
    int connectTimeoutMs,
    int requestTimeoutMs,
    int totalTimeoutMs,
    int rounds,
    int backoffMs,
    int maxBackoffMs,
    int maxAnswerBytes,
    int maxSchemaBytes,
    boolean quotes) {

  public HttpSettings {
    endpoints = List.copyOf(endpoints);
    if (endpoints.isEmpty()) {
      throw new IllegalArgumentException("a registry needs at least one URL");
    }
    headers = Map.copyOf(headers);
    headers.forEach(HttpSettings::checkHeader);
    Objects.requireNonNull(proxy, "proxy");
    Objects.requireNonNull(tls, "tls");
    atLeast(1, "connectTimeoutMs", connectTimeoutMs);
    atLeast(1, "requestTimeoutMs", requestTimeoutMs);
    atLeast(1, "totalTimeoutMs", totalTimeoutMs);
    atLeast(1, "rounds", rounds);
    atLeast(0, "backoffMs", backoffMs);
    atLeast(backoffMs, "maxBackoffMs", maxBackoffMs);
    atLeast(1, "maxAnswerBytes", maxAnswerBytes);
    atLeast(1, "maxSchemaBytes", maxSchemaBytes);
  }

  /** Returns the same settings with one round. */
  HttpSettings once() {
    return with(1, quotes);
  }

  /** Returns the same settings with messages that quote nothing that the server sent. */
  public HttpSettings withoutQuotes() {
    return with(rounds, false);
  }

  private HttpSettings with(int newRounds, boolean newQuotes) {
    return new HttpSettings(
        endpoints,
        headers,
        proxy,
        tls,
        connectTimeoutMs,
        requestTimeoutMs,
        totalTimeoutMs,
        newRounds,
        backoffMs,
        maxBackoffMs,
        maxAnswerBytes,
        maxSchemaBytes,
        newQuotes);
  }

  private static void atLeast(int least, String name, int value) {
    if (value < least) {
      throw new IllegalArgumentException(name + " must be at least " + least + ": " + value);
    }
  }

  private static void checkHeader(String name, Secret value) {
    try {
      // The JDK's rules for header values, and for the headers that it reserves.
      HttpRequest.newBuilder(URI.create("http://localhost")).header(name, value.value());
    } catch (IllegalArgumentException e) {
      // Without the cause, whose message may contain the value.
      throw new IllegalArgumentException(
          "the header \"" + name + "\" cannot be sent: its name or its value is not allowed.");
    }
  }

  /** Returns a builder for one or several URLs, separated by commas, with defaults for the rest. */
  public static Builder builder(String urls) {
    return new Builder(Endpoint.parseAll(urls));
  }

  /** Returns a text without the secrets of these settings. */
  String redact(String text) {
    String redacted = text;
    for (Endpoint endpoint : endpoints) {
      redacted = endpoint.redact(redacted);
    }
    for (Secret header : headers.values()) {
      redacted = header.redact(redacted);
    }
    return redacted;
  }

  /**
   * Returns every address that a client with these settings may contact: the endpoints, the token
   * endpoints and the proxy. Example: {@code http://registry:8081}, {@code proxy:3128}
   */
  public List<String> addresses() {
    List<String> addresses = new ArrayList<>();
    for (Endpoint endpoint : endpoints) {
      addresses.add(endpoint.toString());
      if (endpoint.credentials().orElse(null) instanceof ClientCredentials client) {
        addresses.add(client.tokenEndpoint().toString());
      }
    }
    proxy.ifPresent(to -> addresses.add(to.getHostString() + ":" + to.getPort()));
    return addresses;
  }

  /** Returns the addresses, without secrets. Example: {@code http://a:8081, http://b:8081} */
  public String location() {
    return endpoints.stream().map(Endpoint::toString).collect(Collectors.joining(", "));
  }

  /** Builder of {@link HttpSettings}, with defaults. Not thread-safe. */
  public static final class Builder {
    private List<Endpoint> endpoints;
    private final Map<String, Secret> headers = new TreeMap<>();
    private Optional<InetSocketAddress> proxy = Optional.empty();
    private TlsSettings tls = TlsSettings.DEFAULT;
    private int connectTimeoutMs = 5_000;
    private int requestTimeoutMs = 10_000;
    private int totalTimeoutMs = 30_000;
    private int rounds = 5;
    private int backoffMs = 200;
    private int maxBackoffMs = 10_000;
    private int maxAnswerBytes = 16 * 1024 * 1024;
    private int maxSchemaBytes = 1 << 20;

    private Builder(List<Endpoint> endpoints) {
      this.endpoints = endpoints;
    }

    /** Sets the credentials of every endpoint, in place of those in the URLs. */
    public Builder credentials(Credentials credentials) {
      endpoints =
          endpoints.stream().map(endpoint -> endpoint.withCredentials(credentials)).toList();
      return this;
    }

    /**
     * Adds a header to each request.
     *
     * @throws IllegalArgumentException if it cannot be sent; the message does not contain the value
     */
    public Builder header(String name, Secret value) {
      checkHeader(name, value);
      headers.put(name, value);
      return this;
    }

    /** Sets a proxy. Default: none; the JVM's proxy settings are ignored. */
    public Builder proxy(String host, int port) {
      proxy = Optional.of(InetSocketAddress.createUnresolved(host, port));
      return this;
    }

    /** Sets the TLS settings. Default: {@link TlsSettings#DEFAULT}. */
    public Builder tls(TlsSettings value) {
      tls = value;
      return this;
    }

    /** Sets the maximum time to open a connection. Default: 5,000 ms. */
    public Builder connectTimeoutMs(int value) {
      connectTimeoutMs = value;
      return this;
    }

    /** Sets the maximum time of one request. Default: 10,000 ms. */
    public Builder requestTimeoutMs(int value) {
      requestTimeoutMs = value;
      return this;
    }

    /** Sets the maximum time of one lookup with all rounds and waits. Default: 30,000 ms. */
    public Builder totalTimeoutMs(int value) {
      totalTimeoutMs = value;
      return this;
    }

    /** Sets the maximum number of rounds. Default: 5. */
    public Builder rounds(int value) {
      rounds = value;
      return this;
    }

    /** Sets the first backoff. Default: 200 ms. */
    public Builder backoffMs(int value) {
      backoffMs = value;
      return this;
    }

    /** Sets the maximum backoff. Default: 10,000 ms. */
    public Builder maxBackoffMs(int value) {
      maxBackoffMs = value;
      return this;
    }

    /** Sets the maximum size of a response. Default: 16 MiB. */
    public Builder maxAnswerBytes(int value) {
      maxAnswerBytes = value;
      return this;
    }

    /** Sets the maximum size of a schema's text. Default: 1 MiB. */
    public Builder maxSchemaBytes(int value) {
      maxSchemaBytes = value;
      return this;
    }

    /** Returns the settings. */
    public HttpSettings build() {
      return new HttpSettings(
          endpoints,
          headers,
          proxy,
          tls,
          connectTimeoutMs,
          requestTimeoutMs,
          totalTimeoutMs,
          rounds,
          backoffMs,
          maxBackoffMs,
          maxAnswerBytes,
          maxSchemaBytes,
          true);
    }
  }
}
