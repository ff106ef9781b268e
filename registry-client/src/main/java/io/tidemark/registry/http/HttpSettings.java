package io.tidemark.registry.http;

import io.tidemark.registry.security.Credentials;
import io.tidemark.registry.security.Secret;
import io.tidemark.registry.security.TlsSettings;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How to reach a registry, and how long to try.
 *
 * <p>A lookup goes in rounds. A round asks each endpoint until one answers; after a round that
 * failed for reasons that can pass, the client waits and begins another, {@code rounds} in all. The
 * wait before round n + 1 is random between 0 and {@code backoffMs · 2^(n-1)}, at most {@code
 * maxBackoffMs} (exponential backoff with full jitter), or longer when the registry says so in a
 * Retry-After header.
 *
 * @param endpoints in the order in which they are tried; the one that answered last comes first
 * @param headers sent with each request, their values as secrets
 * @param proxy through which every connection goes
 * @param tls of endpoints that begin with https
 * @param connectTimeoutMs for a connection, TLS included; at least 1
 * @param requestTimeoutMs for one request, from the connection to the last byte; at least 1
 * @param totalTimeoutMs for one resource with all its rounds and waits; at least 1
 * @param rounds at least 1
 * @param backoffMs at least 0
 * @param maxBackoffMs at least {@code backoffMs}
 * @param maxAnswerBytes the largest answer that is read; at least 1
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
    int maxAnswerBytes) {

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
  }

  /** The same, with one round in each lookup. */
  HttpSettings once() {
    return new HttpSettings(
        endpoints,
        headers,
        proxy,
        tls,
        connectTimeoutMs,
        requestTimeoutMs,
        totalTimeoutMs,
        1,
        backoffMs,
        maxBackoffMs,
        maxAnswerBytes);
  }

  private static void atLeast(int least, String name, int value) {
    if (value < least) {
      throw new IllegalArgumentException(name + " must be at least " + least + ": " + value);
    }
  }

  private static void checkHeader(String name, Secret value) {
    try {
      // The JDK's own rules: what a header may hold, and which headers it keeps to itself.
      HttpRequest.newBuilder(URI.create("http://localhost")).header(name, value.value());
    } catch (IllegalArgumentException e) {
      // Without the cause, which may quote the value.
      throw new IllegalArgumentException(
          "the header \"" + name + "\" cannot be sent: its name or its value is not allowed.");
    }
  }

  /** Settings for one or several URLs, separated by commas, with a default for everything else. */
  public static Builder builder(String urls) {
    return new Builder(Endpoint.parseAll(urls));
  }

  /** The text without any secret of these settings. */
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

  /** The addresses, without secrets. Example: {@code http://a:8081, http://b:8081} */
  public String location() {
    return endpoints.stream().map(Endpoint::toString).collect(Collectors.joining(", "));
  }

  /** Settings in the making; each starts at its default. For one thread. */
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

    private Builder(List<Endpoint> endpoints) {
      this.endpoints = endpoints;
    }

    /** The credentials for every endpoint, in place of those in the URLs. */
    public Builder credentials(Credentials credentials) {
      endpoints =
          endpoints.stream().map(endpoint -> endpoint.withCredentials(credentials)).toList();
      return this;
    }

    /**
     * One more header of each request.
     *
     * @throws IllegalArgumentException when it cannot be sent; the message does not hold the value
     */
    public Builder header(String name, Secret value) {
      checkHeader(name, value);
      headers.put(name, value);
      return this;
    }

    /** None by default: not even the JVM's. */
    public Builder proxy(String host, int port) {
      proxy = Optional.of(InetSocketAddress.createUnresolved(host, port));
      return this;
    }

    /** {@link TlsSettings#DEFAULT} by default. */
    public Builder tls(TlsSettings value) {
      tls = value;
      return this;
    }

    /** 5,000 ms by default. */
    public Builder connectTimeoutMs(int value) {
      connectTimeoutMs = value;
      return this;
    }

    /** 10,000 ms by default. */
    public Builder requestTimeoutMs(int value) {
      requestTimeoutMs = value;
      return this;
    }

    /** 30,000 ms by default. */
    public Builder totalTimeoutMs(int value) {
      totalTimeoutMs = value;
      return this;
    }

    /** 5 by default. */
    public Builder rounds(int value) {
      rounds = value;
      return this;
    }

    /** 200 ms by default. */
    public Builder backoffMs(int value) {
      backoffMs = value;
      return this;
    }

    /** 10,000 ms by default. */
    public Builder maxBackoffMs(int value) {
      maxBackoffMs = value;
      return this;
    }

    /** 16 MiB by default. */
    public Builder maxAnswerBytes(int value) {
      maxAnswerBytes = value;
      return this;
    }

    /** The settings. */
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
          maxAnswerBytes);
    }
  }
}
