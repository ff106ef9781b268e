package io.tidemark.registry.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tidemark.registry.Printable;
import io.tidemark.registry.security.ClientCredentials;
import io.tidemark.registry.security.Secret;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The access token of one client, which is requested from its token endpoint and renewed before it
 * expires. Safe for use by many threads: one sends the request. The others continue with the valid
 * token, or wait for the new one if there is none.
 */
final class AccessTokens {
  private static final int MAX_ANSWER_BYTES = 256 * 1024;

  /** The pause before the next request, if a token that is still valid could not be renewed. */
  private static final long RENEWAL_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Thrown if there is no token. */
  static final class NoTokenException extends Exception {
    private static final long serialVersionUID = 1L;
    private final boolean mayPass;
    private final int status;

    private NoTokenException(
        String message, int status, boolean mayPass, @Nullable Throwable cause) {
      super(message, cause);
      this.status = status;
      this.mayPass = mayPass;
    }

    /** Returns whether the error is transient: a retry may succeed without any change. */
    boolean mayPass() {
      return mayPass;
    }

    /** Returns the status of the endpoint's response; 0 if there was none. */
    int status() {
      return status;
    }
  }

  /**
   * A token and its lifetime, in the clock's ns. A token without {@code expires_in} is used until
   * the registry rejects it.
   */
  private record Token(Secret value, boolean ends, long renewAt, long expiresAt) {
    boolean wantsRenewal(long now) {
      return ends && now - renewAt >= 0;
    }

    boolean isExpired(long now) {
      return ends && now - expiresAt >= 0;
    }
  }

  private final ClientCredentials client;
  private final Clients clients;
  private final LongSupplier nanoClock;
  private final ReentrantLock asking = new ReentrantLock();
  private final AtomicReference<@Nullable Token> current = new AtomicReference<>();

  /** The previous token: a request with it may still be in progress, and be echoed. */
  private volatile Secret replaced = Secret.NONE;

  AccessTokens(ClientCredentials client, Clients clients, LongSupplier nanoClock) {
    this.client = client;
    this.clients = clients;
    this.nanoClock = nanoClock;
  }

  /** Returns a token that has not expired. */
  Secret token(int connectTimeoutMs, long timeoutMs) throws NoTokenException, InterruptedException {
    Token token = current.get();
    long now = nanoClock.getAsLong();
    if (token != null && !token.wantsRenewal(now)) {
      return token.value();
    }
    if (token != null && !token.isExpired(now)) {
      return asking.tryLock() ? renewed(token, connectTimeoutMs, timeoutMs) : token.value();
    }
    if (!asking.tryLock(timeoutMs, TimeUnit.MILLISECONDS)) {
      throw new NoTokenException(
          client.tokenEndpoint()
              + " did not respond to another thread within "
              + timeoutMs
              + " ms.",
          0,
          true,
          null);
    }
    try {
      Token other = current.get();
      if (other != null && !other.isExpired(nanoClock.getAsLong())) {
        return other.value();
      }
      return ask(connectTimeoutMs, timeoutMs).value();
    } finally {
      asking.unlock();
    }
  }

  /** Discards a token that the registry rejected, unless another thread already did. */
  void refused(Secret token) {
    Token known = current.get();
    if (known != null && known.value().equals(token)) {
      replaced = token;
      current.compareAndSet(known, null);
    }
  }

  /** Returns a text without the current and the previous token. */
  String redact(String text) {
    Token token = current.get();
    String redacted = replaced.redact(text);
    return token == null ? redacted : token.value().redact(redacted);
  }

  /** Requests a new token. The caller owns the lock, which is released here. */
  private Secret renewed(Token old, int connectTimeoutMs, long timeoutMs)
      throws InterruptedException {
    try {
      Token other = current.get();
      return other == null || other.equals(old)
          ? ask(connectTimeoutMs, timeoutMs).value()
          : other.value();
    } catch (NoTokenException e) {
      // The old token is still valid: the endpoint's state matters only when it has expired.
      long nextAt = nanoClock.getAsLong() + RENEWAL_PAUSE_NANOS;
      current.compareAndSet(old, new Token(old.value(), true, nextAt, old.expiresAt()));
      return old.value();
    } finally {
      asking.unlock();
    }
  }

  private Token ask(int connectTimeoutMs, long timeoutMs)
      throws NoTokenException, InterruptedException {
    String form =
        "grant_type=client_credentials"
            + (client.scope().isEmpty()
                ? ""
                : "&scope=" + URLEncoder.encode(client.scope(), StandardCharsets.UTF_8));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(client.tokenEndpoint())
            .header("Accept", "application/json")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Authorization", client.authorization())
            .POST(HttpRequest.BodyPublishers.ofString(form));
    long askedAt = nanoClock.getAsLong();
    Exchange exchange;
    try {
      exchange = Exchange.send(clients.current(), request, MAX_ANSWER_BYTES, timeoutMs);
    } catch (TimeoutException e) {
      throw new NoTokenException(
          place() + "did not respond within " + timeoutMs + " ms.", 0, true, e);
    } catch (IOException e) {
      IoFailure failure = new IoFailure(e, client.tokenEndpoint(), client::redact);
      throw new NoTokenException(
          place()
              + failure
                  .described(Math.min(connectTimeoutMs, timeoutMs))
                  .replace("schema.registry.url", "bearer.auth.issuer.endpoint.url"),
          0,
          failure.mayPass(),
          failure.cause());
    }
    Token token = read(exchange, askedAt);
    Token before = current.get();
    if (before != null) {
      replaced = before.value();
    }
    current.set(token);
    return token;
  }

  private Token read(Exchange exchange, long askedAt) throws NoTokenException {
    JsonNode json = exchange.body().map(Json::read).orElse(MissingNode.getInstance());
    int status = exchange.status();
    if (status != 200) {
      String error = json.path("error").asText();
      boolean mayPass = status == 408 || status == 429 || status >= 500;
      throw new NoTokenException(
          place()
              + "returned HTTP "
              + status
              + (error.isEmpty() || !clients.quotes()
                  ? ""
                  : " (" + Printable.of(client.redact(error)) + ")")
              + (mayPass
                  ? ". It is overloaded, failing or restarting."
                  : " and no token for client "
                      + client.clientId()
                      + ". Check bearer.auth.client.id, bearer.auth.client.secret,"
                      + " bearer.auth.scope and bearer.auth.issuer.endpoint.url."),
          status,
          mayPass,
          null);
    }
    String value = json.path("access_token").asText();
    if (value.isBlank() || !value.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw new NoTokenException(
          place()
              + "returned HTTP 200 without a usable access_token. Another service responds there."
              + " Check bearer.auth.issuer.endpoint.url.",
          status,
          false,
          null);
    }
    long lifeMs = TimeUnit.SECONDS.toMillis(json.path("expires_in").asLong(0));
    long renewMs = lifeMs - Math.min(client.renewalMs(), lifeMs / 2);
    return new Token(
        new Secret(value),
        lifeMs > 0,
        askedAt + TimeUnit.MILLISECONDS.toNanos(renewMs),
        askedAt + TimeUnit.MILLISECONDS.toNanos(lifeMs));
  }

  private String place() {
    return "token endpoint " + client.tokenEndpoint() + " ";
  }
}
