package io.tidemark.registry.cache;

import io.tidemark.registry.RegistryException;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaChangedException;
import io.tidemark.registry.cache.Lookup.Abandoned;
import io.tidemark.registry.cache.Lookup.Failed;
import io.tidemark.registry.cache.Lookup.Found;
import io.tidemark.registry.cache.Lookup.Missing;
import io.tidemark.registry.cache.Lookup.Outcome;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * A cache of responses to one kind of request. It keeps values without limit or for a time, "not
 * found" for a time, and failures not at all. Safe for use by many threads.
 *
 * <ul>
 *   <li><b>Single flight.</b> If many threads miss one key at once, one sends a request. The others
 *       wait and share its result, even a failure. The next call after a failure sends a new
 *       request.
 *   <li><b>Interruption.</b> If the thread that sends the request is interrupted, one of the
 *       waiting threads sends the request in its place.
 *   <li><b>Bounded</b> in entries and in weight. Above a limit, the oldest entry that was not used
 *       since the last sweep is removed (second chance, an LRU without a lock for a hit).
 * </ul>
 *
 * <p>A hit allocates nothing and writes nothing that other threads read. Even a counter would cost
 * as much as the rest of the hit.
 *
 * @param <K> the keys
 * @param <V> the values
 */
final class AnswerCache<K, V> {
  /** The weight of a "not found": about the memory of its exception. */
  private static final long MISSING_WEIGHT = 512;

  /** Sends requests to the registry. */
  interface Source<K, V> {

    V ask(K key) throws RegistryException, InterruptedException;

    /** Returns the weight of an entry, in characters of its schema. */
    long weight(K key, V answer);
  }

  private final Source<K, V> source;
  private final CacheSettings settings;

  /** The time for which a value is kept; negative for no limit. */
  private final int foundTtlMs;

  private final LongSupplier nanoClock;
  private final ConcurrentHashMap<K, Lookup<K, V>> lookups = new ConcurrentHashMap<>();

  /** The entries, the next to be removed first, all completed. Guarded by itself. */
  private final Queue<Lookup<K, V>> kept = new ArrayDeque<>();

  /** The weight of these entries. Guarded by {@link #kept}. */
  private long weight;

  private final LongAdder requests = new LongAdder();
  private final LongAdder notFound = new LongAdder();

  AnswerCache(Source<K, V> source, CacheSettings settings, int foundTtlMs, LongSupplier nanoClock) {
    this.source = source;
    this.settings = settings;
    this.foundTtlMs = foundTtlMs;
    this.nanoClock = nanoClock;
  }

  V get(K key) throws RegistryException, InterruptedException {
    while (true) {
      Lookup<K, V> lookup = lookups.get(key);
      if (lookup == null) {
        Lookup<K, V> own = new Lookup<>(key);
        lookup = lookups.putIfAbsent(key, own);
        if (lookup == null) {
          return ask(own);
        }
      }
      Outcome<V> outcome = lookup.outcome();
      boolean waited = outcome == null;
      if (outcome == null) {
        outcome = lookup.await();
      }
      if (outcome instanceof Found<V> found) {
        if (waited || !found.expires() || isInTheFuture(found.expiresAtNanos())) {
          lookup.touch();
          return found.value();
        }
        forget(lookup);
      }
      if (outcome instanceof Missing<V> missing) {
        if (waited || isInTheFuture(missing.expiresAtNanos())) {
          lookup.touch();
          notFound.increment();
          throw missing.answer().again();
        }
        forget(lookup);
      }
      if (outcome instanceof Failed<V> failed) {
        throw failed.failure().again();
      }
      // Expired or abandoned, and removed from the map: this or another thread requests it.
    }
  }

  private boolean isInTheFuture(long nanos) {
    return nanos - nanoClock.getAsLong() > 0;
  }

  private V ask(Lookup<K, V> own) throws RegistryException, InterruptedException {
    requests.increment();
    Outcome<V> outcome = new Abandoned<>();
    long weighs = MISSING_WEIGHT;
    try {
      V value = source.ask(own.key());
      weighs = source.weight(own.key(), value);
      outcome = new Found<>(value, foundTtlMs >= 0, inMs(foundTtlMs));
      return value;
    } catch (RegistryUnavailableException | SchemaChangedException e) {
      outcome = new Failed<>(e);
      throw e;
    } catch (RegistryException e) {
      notFound.increment();
      outcome = new Missing<>(e, inMs(settings.notFoundTtlMs()));
      throw e;
    } finally {
      if (outcome instanceof Found || outcome instanceof Missing) {
        own.end(outcome);
        keep(own, weighs);
      } else {
        // Remove the lookup from the map before its end wakes other threads. They must not find it
        // there again.
        lookups.remove(own.key(), own);
        own.end(outcome);
      }
    }
  }

  private long inMs(int ms) {
    return nanoClock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(ms);
  }

  private void keep(Lookup<K, V> lookup, long weighs) {
    synchronized (kept) {
      if (lookups.get(lookup.key()) != lookup) {
        return; // It expired at once, and another thread has already removed it.
      }
      // Each entry gets at most one more turn, however often others use it meanwhile.
      for (int turns = kept.size(); !hasRoom(weighs); turns--) {
        Lookup<K, V> oldest = kept.remove();
        if (turns > 0 && oldest.takeRecentlyUsed()) {
          kept.add(oldest);
        } else {
          weight -= oldest.weight();
          lookups.remove(oldest.key(), oldest);
        }
      }
      lookup.weighs(weighs);
      weight += weighs;
      kept.add(lookup);
    }
  }

  private boolean hasRoom(long weighs) {
    return kept.isEmpty()
        || (kept.size() < settings.maxEntries() && weight + weighs <= settings.maxBytes());
  }

  /** Returns the value of a key, even if it has expired; does not count as a use. */
  Optional<V> find(K key) {
    Lookup<K, V> lookup = lookups.get(key);
    return lookup != null && lookup.outcome() instanceof Found<V> found
        ? Optional.of(found.value())
        : Optional.empty();
  }

  /** Puts a value without a request, in place of an entry or a request in progress. */
  void put(K key, V value) {
    Lookup<K, V> own = new Lookup<>(key);
    own.end(new Found<>(value, foundTtlMs >= 0, inMs(foundTtlMs)));
    Lookup<K, V> before = lookups.put(key, own);
    if (before != null) {
      forget(before);
    }
    keep(own, source.weight(key, value));
  }

  /** Removes an entry. The result of a request in progress reaches its waiters, but is not kept. */
  void forget(K key) {
    Lookup<K, V> known = lookups.get(key);
    if (known != null) {
      forget(known);
    }
  }

  private void forget(Lookup<K, V> lookup) {
    synchronized (kept) {
      if (kept.remove(lookup)) {
        weight -= lookup.weight();
      }
      lookups.remove(lookup.key(), lookup);
    }
  }

  /** Returns the number of entries. */
  int size() {
    synchronized (kept) {
      return kept.size();
    }
  }

  /** Returns the weight of all entries. */
  long weight() {
    synchronized (kept) {
      return weight;
    }
  }

  /** Returns the number of requests to the source. */
  long requests() {
    return requests.sum();
  }

  /** Returns the number of lookups that ended with "not found", cached or not. */
  long notFound() {
    return notFound.sum();
  }
}
