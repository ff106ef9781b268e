package io.tidemark.registry.cache;

import static java.util.Objects.requireNonNull;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * One question to the registry, and its outcome: while it is under way others wait for it, and once
 * it is answered it is the cache's entry. Safe for use by many threads; one of them asks and calls
 * {@link #end}.
 */
final class Lookup {

  /** How a question ended. */
  sealed interface Outcome {}

  /** The registry sent the schema. */
  record Found(RegisteredSchema schema) implements Outcome {}

  /**
   * The registry has no such schema; believed until {@code expiresAtNanos} of the cache's clock.
   */
  record Missing(SchemaNotFoundException answer, long expiresAtNanos) implements Outcome {}

  /** The registry was not there: everybody who waited gets to know, nobody remembers it. */
  record Failed(RegistryUnavailableException failure) implements Outcome {}

  /** The thread that asked was interrupted, or died: another must ask in its place. */
  record Abandoned() implements Outcome {}

  private final SchemaId id;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable Outcome outcome;

  /** Set by every hit, cleared by the sweep for room: an entry that is in use gets another turn. */
  private volatile boolean recentlyUsed;

  Lookup(SchemaId id) {
    this.id = id;
  }

  SchemaId id() {
    return id;
  }

  void end(Outcome result) {
    outcome = result;
    ended.countDown();
  }

  /** The outcome, or null while the question is under way. */
  @Nullable Outcome outcome() {
    return outcome;
  }

  /** The outcome, once there is one. */
  Outcome await() throws InterruptedException {
    ended.await();
    return requireNonNull(outcome);
  }

  /** Writes only when there is something to change, so that hits do not contend. */
  void touch() {
    if (!recentlyUsed) {
      recentlyUsed = true;
    }
  }

  /** Whether it was used since the last call. */
  boolean takeRecentlyUsed() {
    boolean used = recentlyUsed;
    recentlyUsed = false;
    return used;
  }
}
