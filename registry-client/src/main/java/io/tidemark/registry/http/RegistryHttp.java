package io.tidemark.registry.http;

import io.tidemark.registry.RegistryRefusedException;
import io.tidemark.registry.RegistryUnavailableException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Asks a registry over HTTP, in rounds over its endpoints. Safe for use by many threads. */
public final class RegistryHttp implements AutoCloseable {
  private final String location;
  private final Rounds rounds;
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * @throws IllegalArgumentException when a key or trust store cannot be read
   */
  public RegistryHttp(HttpSettings settings, Dialect dialect) {
    this.location = settings.location();
    this.rounds =
        new Rounds(
            settings,
            new HttpTransport(settings, dialect, System::nanoTime),
            System::nanoTime,
            () -> ThreadLocalRandom.current().nextLong(),
            ms -> !closed.await(ms, TimeUnit.MILLISECONDS));
  }

  /** What the registry answered. */
  public <T> T send(Request<T> request)
      throws RegistryRefusedException, RegistryUnavailableException, InterruptedException {
    if (closed.getCount() == 0) {
      throw new IllegalStateException("the client of " + location + " is closed");
    }
    return rounds.send(request);
  }

  /** Where the registry is, without secrets. */
  public String location() {
    return location;
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
