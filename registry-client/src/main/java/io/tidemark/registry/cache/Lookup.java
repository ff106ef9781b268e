package io.tidemark.registry.cache;

import static java.util.Objects.requireNonNull;

import io.tidemark.registry.RegistryException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * One question to the registry, and its outcome: while it is under way others wait for it, and once
 * it is answered it is the cache's entry. Safe for use by many threads; one of them asks and calls
 * {@link #end}.
 *
 * @param <K> what is asked for
 * @param <V> what is found
 */
final class Lookup<K, V> {

  /** How a question ended. */
  sealed interface Outcome<V> {}

  /**
   * The registry's answer; believed until {@code expiresAtNanos} of the cache's clock if it
   * expires.
   */
  record Found<V>(V value, boolean expires, long expiresAtNanos) implements Outcome<V> {}

  /** The registry said no; believed until {@code expiresAtNanos} of the cache's clock. */
  record Missing<V>(RegistryException answer, long expiresAtNanos) implements Outcome<V> {}

  /** The registry was not there: everybody who waited gets to know, nobody remembers it. */
  record Failed<V>(RegistryException failure) implements Outcome<V> {}

  /** The thread that asked was interrupted, or died: another must ask in its place. */
  record Abandoned<V>() implements Outcome<V> {}

  private final K key;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable Outcome<V> outcome;

  /** What it weighs in the cache. Guarded by the cache's queue. */
  private long weight;

  /** Set by every hit, cleared by the sweep for room: an entry that is in use gets another turn. */
  private volatile boolean recentlyUsed;

  Lookup(K key) {
    this.key = key;
  }

  K key() {
    return key;
  }

  void end(Outcome<V> result) {
    outcome = result;
    ended.countDown();
  }

  /** The outcome, or null while the question is under way. */
  @Nullable Outcome<V> outcome() {
    return outcome;
  }

  /** The outcome, once there is one. */
  Outcome<V> await() throws InterruptedException {
    ended.await();
    return requireNonNull(outcome);
  }

  long weight() {
    return weight;
  }

  void weighs(long given) {
    weight = given;
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
