package io.tidemark.registry.cache;

import static java.util.Objects.requireNonNull;

import io.tidemark.registry.RegistryException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A request to the registry and its outcome. Other threads wait for a request in progress. A
 * completed lookup is the cache's entry. Safe for use by many threads; one of them sends the
 * request and calls {@link #end}.
 *
 * @param <K> the keys
 * @param <V> the values
 */
final class Lookup<K, V> {

  /** The outcome of a request. */
  sealed interface Outcome<V> {}

  /** The value; kept until {@code expiresAtNanos} of the cache's clock if it expires. */
  record Found<V>(V value, boolean expires, long expiresAtNanos) implements Outcome<V> {}

  /** The registry does not have the key; kept until {@code expiresAtNanos} of the cache's clock. */
  record Missing<V>(RegistryException answer, long expiresAtNanos) implements Outcome<V> {}

  /** The registry failed: all waiting threads get the exception, and it is not kept. */
  record Failed<V>(RegistryException failure) implements Outcome<V> {}

  /** The thread that sent the request was interrupted, or died: another must send it. */
  record Abandoned<V>() implements Outcome<V> {}

  private final K key;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable Outcome<V> outcome;

  /** The weight in the cache. Guarded by the cache's queue. */
  private long weight;

  /** Set by every hit, cleared by the sweep: an entry that is in use gets another turn. */
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

  /** Returns the outcome, or null while the request is in progress. */
  @Nullable Outcome<V> outcome() {
    return outcome;
  }

  /** Waits for the outcome and returns it. */
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

  /** Marks a use. It writes only if the mark is missing, so that hits do not contend. */
  void touch() {
    if (!recentlyUsed) {
      recentlyUsed = true;
    }
  }

  /** Returns whether the entry was used since the last call, and clears the mark. */
  boolean takeRecentlyUsed() {
    boolean used = recentlyUsed;
    recentlyUsed = false;
    return used;
  }
}
