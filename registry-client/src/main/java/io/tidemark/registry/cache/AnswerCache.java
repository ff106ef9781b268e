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
 * Answers to one kind of question, kept: what was found for good or for a while, "no" for a while,
 * failures not at all. Safe for use by many threads.
 *
 * <ul>
 *   <li><b>Single flight.</b> However many threads miss one key at once, one asks; the others wait
 *       and share its answer, be it a failure. The next call after a failure asks anew.
 *   <li><b>No thread answers for another.</b> When the thread that asks is interrupted, one of
 *       those who wait asks in its place.
 *   <li><b>Bounded</b> in entries and in weight. Past a limit, the oldest entry that was not used
 *       since the last sweep goes (second chance, an LRU that costs a hit no lock).
 * </ul>
 *
 * <p>A hit allocates nothing and writes nothing that other threads read: not even a counter, which
 * would cost as much as the rest of it.
 *
 * @param <K> what is asked for
 * @param <V> what is found
 */
final class AnswerCache<K, V> {
  /** What a "no" weighs: about what its exception takes. */
  private static final long MISSING_WEIGHT = 512;

  /** Asks the registry. */
  interface Source<K, V> {

    V ask(K key) throws RegistryException, InterruptedException;

    /** What an entry weighs, as the characters of its schema. */
    long weight(K key, V answer);
  }

  private final Source<K, V> source;
  private final CacheSettings settings;

  /** How long what was found is believed; negative for good. */
  private final int foundTtlMs;

  private final LongSupplier nanoClock;
  private final ConcurrentHashMap<K, Lookup<K, V>> lookups = new ConcurrentHashMap<>();

  /** What is kept, the next to go first. Guarded by itself; every lookup in it has ended. */
  private final Queue<Lookup<K, V>> kept = new ArrayDeque<>();

  /** What those weigh. Guarded by {@link #kept}. */
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
      // Expired or abandoned, and no longer in the map: somebody asks anew, perhaps this thread.
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
        // Out of the map first: who wakes up must not find it there again.
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
        return; // It expired at once, and another thread has already forgotten it.
      }
      // Each entry gets at most one more turn, however fast others use them meanwhile.
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

  /** What is kept of a key, whether it has expired or not; does not count as a use. */
  Optional<V> find(K key) {
    Lookup<K, V> lookup = lookups.get(key);
    return lookup != null && lookup.outcome() instanceof Found<V> found
        ? Optional.of(found.value())
        : Optional.empty();
  }

  /**
   * Keeps an answer that is known without a question, in place of what was kept or is under way.
   */
  void put(K key, V value) {
    Lookup<K, V> own = new Lookup<>(key);
    own.end(new Found<>(value, foundTtlMs >= 0, inMs(foundTtlMs)));
    Lookup<K, V> before = lookups.put(key, own);
    if (before != null) {
      forget(before);
    }
    keep(own, source.weight(key, value));
  }

  /** Forgets an answer; one that is under way reaches those who wait for it, and is not kept. */
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

  /** How many answers are kept. */
  int size() {
    synchronized (kept) {
      return kept.size();
    }
  }

  /** What they weigh. */
  long weight() {
    synchronized (kept) {
      return weight;
    }
  }

  /** How often the source was asked. */
  long requests() {
    return requests.sum();
  }

  /** How many ended with a "no", remembered or not. */
  long notFound() {
    return notFound.sum();
  }
}
