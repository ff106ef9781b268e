package io.tidemark.registry.http;

import io.tidemark.registry.Printable;
import io.tidemark.registry.RegistryRefusedException;
import io.tidemark.registry.RegistryUnavailableException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Internal. Sends requests to a registry over HTTP, with retries. Safe for use by many threads. */
public final class RegistryHttp implements AutoCloseable {
  private final String location;
  private final HttpTransport transport;
  private final Rounds rounds;
  private final CallsUnderWay calls;
  private final CountDownLatch closed;
  private final int maxSchemaBytes;

  /**
   * @throws IllegalArgumentException if a key store or trust store cannot be read
   */
  public RegistryHttp(HttpSettings settings, Dialect dialect) {
    this.location = settings.location();
    this.calls = new CallsUnderWay();
    this.closed = new CountDownLatch(1);
    this.maxSchemaBytes = settings.maxSchemaBytes();
    this.transport = new HttpTransport(settings, dialect, System::nanoTime);
    this.rounds =
        new Rounds(
            settings,
            transport,
            System::nanoTime,
            () -> ThreadLocalRandom.current().nextLong(),
            ms -> !closed.await(ms, TimeUnit.MILLISECONDS));
  }

  private RegistryHttp(RegistryHttp other, Rounds rounds) {
    this.location = other.location;
    this.transport = other.transport;
    this.rounds = rounds;
    this.calls = other.calls;
    this.closed = other.closed;
    this.maxSchemaBytes = other.maxSchemaBytes;
  }

  /** Returns the same client without retries: each endpoint is tried at most once. */
  public RegistryHttp once() {
    return new RegistryHttp(this, rounds.once());
  }

  /** Returns the same client for the requests of one lookup, which share the time of one. */
  public RegistryHttp lookup() {
    return new RegistryHttp(this, rounds.lookup());
  }

  /** Sends a request, with retries, and returns the parsed response. */
  public <T> T send(Request<T> request)
      throws RegistryRefusedException, RegistryUnavailableException, InterruptedException {
    if (closed.getCount() == 0) {
      throw new IllegalStateException("the client of " + location + " is closed");
    }
    try (CallsUnderWay.Call call = calls.begin()) {
      try {
        return rounds.send(request);
      } catch (InterruptedException e) {
        if (call.wasCut()) {
          throw new RegistryUnavailableException(
              "the client of " + location + " was closed while it waited for a response.", e);
        }
        throw e;
      }
    }
  }

  /**
   * Returns why a schema must not be parsed; empty if its size permits that.
   *
   * @param bytes the size of its text and the texts of its references, in UTF-8
   */
  public Optional<String> tooLarge(long bytes) {
    return bytes <= maxSchemaBytes
        ? Optional.empty()
        : Optional.of(
            "has more than "
                + maxSchemaBytes
                + " bytes of text with all that it refers to. Register a smaller schema, or raise"
                + " schema.max.bytes.");
  }

  /** Returns text from the registry, made safe for messages: one line, shortened, no secrets. */
  public String quoted(@Nullable String sent) {
    return Printable.of(transport.redact(String.valueOf(sent)));
  }

  /**
   * Returns a parser's message about text from the registry, made safe for messages. The message is
   * replaced if the text has a secret: parsers quote parts, which may be a part of the secret.
   */
  public String quoted(@Nullable String problem, String sent) {
    return transport.redact(sent).equals(sent)
        ? quoted(problem)
        : "it contains a secret that was sent to the registry";
  }

  /** Returns the registry's address, without secrets. */
  public String location() {
    return location;
  }

  @Override
  public void close() {
    closed.countDown();
    calls.close();
  }
}
