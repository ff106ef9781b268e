package io.tidemark.registry.http;

import java.util.List;
import java.util.stream.Collectors;

/**
 * How to reach a registry of Confluent's API, and how long to try.
 *
 * <p>A lookup goes in rounds. A round asks each endpoint until one answers; after a round that
 * failed for reasons that can pass, the client waits and begins another, {@code rounds} in all. The
 * wait before round n + 1 is random between 0 and {@code backoffMs · 2^(n-1)}, at most {@code
 * maxBackoffMs} (exponential backoff with full jitter), or longer when the registry says so in a
 * Retry-After header.
 *
 * @param endpoints in the order in which they are tried; the one that answered last comes first
 * @param connectTimeoutMs for a connection, TLS included; at least 1
 * @param requestTimeoutMs for one request, from the connection to the last byte; at least 1
 * @param totalTimeoutMs for one resource with all its rounds and waits; at least 1
 * @param rounds at least 1
 * @param backoffMs at least 0
 * @param maxBackoffMs at least {@code backoffMs}
 * @param maxAnswerBytes the largest answer that is read; at least 1
 */
public record ConfluentSettings(
    List<Endpoint> endpoints,
    int connectTimeoutMs,
    int requestTimeoutMs,
    int totalTimeoutMs,
    int rounds,
    int backoffMs,
    int maxBackoffMs,
    int maxAnswerBytes) {

  public ConfluentSettings {
    endpoints = List.copyOf(endpoints);
    if (endpoints.isEmpty()) {
      throw new IllegalArgumentException("a registry needs at least one URL");
    }
    atLeast(1, "connectTimeoutMs", connectTimeoutMs);
    atLeast(1, "requestTimeoutMs", requestTimeoutMs);
    atLeast(1, "totalTimeoutMs", totalTimeoutMs);
    atLeast(1, "rounds", rounds);
    atLeast(0, "backoffMs", backoffMs);
    atLeast(backoffMs, "maxBackoffMs", maxBackoffMs);
    atLeast(1, "maxAnswerBytes", maxAnswerBytes);
  }

  private static void atLeast(int least, String name, int value) {
    if (value < least) {
      throw new IllegalArgumentException(name + " must be at least " + least + ": " + value);
    }
  }

  /** Settings for one or several URLs, separated by commas, with a default for everything else. */
  public static Builder builder(String urls) {
    return new Builder(Endpoint.parseAll(urls));
  }

  /** The addresses, without secrets. Example: {@code http://a:8081, http://b:8081} */
  public String location() {
    return endpoints.stream().map(Endpoint::toString).collect(Collectors.joining(", "));
  }

  /** Settings in the making; each starts at its default. For one thread. */
  public static final class Builder {
    private List<Endpoint> endpoints;
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
    public Builder credentials(BasicCredentials credentials) {
      endpoints =
          endpoints.stream().map(endpoint -> endpoint.withCredentials(credentials)).toList();
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
    public ConfluentSettings build() {
      return new ConfluentSettings(
          endpoints,
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
