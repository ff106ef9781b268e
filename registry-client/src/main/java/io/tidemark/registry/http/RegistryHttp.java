package io.tidemark.registry.http;

import io.tidemark.registry.Printable;
import io.tidemark.registry.RegistryRefusedException;
import io.tidemark.registry.RegistryUnavailableException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Asks a registry over HTTP, in rounds over its endpoints. Safe for use by many threads. */
public final class RegistryHttp implements AutoCloseable {
  private final String location;
  private final HttpTransport transport;
  private final Rounds rounds;
  private final CallsUnderWay calls;
  private final CountDownLatch closed;

  /**
   * @throws IllegalArgumentException when a key or trust store cannot be read
   */
  public RegistryHttp(HttpSettings settings, Dialect dialect) {
    this.location = settings.location();
    this.calls = new CallsUnderWay();
    this.closed = new CountDownLatch(1);
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
  }

  /** The same client, which asks each endpoint at most once and does not wait in between. */
  public RegistryHttp once() {
    return new RegistryHttp(this, rounds.once());
  }

  /** What the registry answered. */
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
              "the client of " + location + " was closed while it waited for an answer.", e);
        }
        throw e;
      }
    }
  }

  /** What the registry sent, as a message may quote it: on one line, cut, and without secrets. */
  public String quoted(@Nullable String sent) {
    return Printable.of(transport.redact(String.valueOf(sent)));
  }

  /**
   * What is wrong with a text that the registry sent, as a message may quote it. Parsers quote
   * parts of what they read, which need not be the whole of a secret.
   */
  public String quoted(@Nullable String problem, String sent) {
    return transport.redact(sent).equals(sent)
        ? quoted(problem)
        : "it holds a secret that was sent to the registry";
  }

  /** Where the registry is, without secrets. */
  public String location() {
    return location;
  }

  @Override
  public void close() {
    closed.countDown();
    calls.close();
  }
}
