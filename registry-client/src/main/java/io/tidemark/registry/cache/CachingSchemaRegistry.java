package io.tidemark.registry.cache;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.cache.Lookup.Abandoned;
import io.tidemark.registry.cache.Lookup.Failed;
import io.tidemark.registry.cache.Lookup.Found;
import io.tidemark.registry.cache.Lookup.Missing;
import io.tidemark.registry.cache.Lookup.Outcome;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * A registry's answers, kept: schemas for good, "not found" for a while, failures not at all. Safe
 * for use by many threads.
 *
 * <ul>
 *   <li><b>Single flight.</b> However many threads miss one id at once, one asks; the others wait
 *       and share its answer, be it a failure. The next call after a failure asks anew.
 *   <li><b>No thread answers for another.</b> When the thread that asks is interrupted, one of
 *       those who wait asks in its place.
 *   <li><b>Bounded.</b> Past the limit, the oldest entry that was not used since the last sweep
 *       goes (second chance, an LRU that costs a hit no lock).
 * </ul>
 *
 * <p>A hit allocates nothing.
 */
public final class CachingSchemaRegistry implements SchemaRegistry {
  private final SchemaRegistry registry;
  private final CacheSettings settings;
  private final LongSupplier nanoClock;
  private final ConcurrentHashMap<SchemaId, Lookup> lookups = new ConcurrentHashMap<>();

  /** What is kept, the next to go first. Guarded by itself; every lookup in it has ended. */
  private final Queue<Lookup> kept = new ArrayDeque<>();

  private final LongAdder requests = new LongAdder();
  private final LongAdder hits = new LongAdder();
  private final LongAdder notFound = new LongAdder();

  /** A cache in front of a registry, which it closes with itself. */
  public CachingSchemaRegistry(SchemaRegistry registry, CacheSettings settings) {
    this(registry, settings, System::nanoTime);
  }

  CachingSchemaRegistry(SchemaRegistry registry, CacheSettings settings, LongSupplier nanoClock) {
    this.registry = registry;
    this.settings = settings;
    this.nanoClock = nanoClock;
  }

  @Override
  public RegisteredSchema schema(SchemaId id)
      throws SchemaNotFoundException, RegistryUnavailableException, InterruptedException {
    while (true) {
      Lookup lookup = lookups.get(id);
      if (lookup == null) {
        Lookup own = new Lookup(id);
        lookup = lookups.putIfAbsent(id, own);
        if (lookup == null) {
          return ask(own);
        }
      }
      Outcome outcome = lookup.outcome();
      boolean waited = outcome == null;
      if (outcome == null) {
        outcome = lookup.await();
      }
      if (outcome instanceof Found found) {
        lookup.touch();
        hits.increment();
        return found.schema();
      }
      if (outcome instanceof Missing missing) {
        if (waited || missing.expiresAtNanos() - nanoClock.getAsLong() > 0) {
          lookup.touch();
          notFound.increment();
          throw missing.answer().again();
        }
        forget(lookup);
      }
      if (outcome instanceof Failed failed) {
        throw failed.failure().again();
      }
      // Expired or abandoned, and no longer in the map: somebody asks anew, perhaps this thread.
    }
  }

  private RegisteredSchema ask(Lookup own)
      throws SchemaNotFoundException, RegistryUnavailableException, InterruptedException {
    requests.increment();
    Outcome outcome = new Abandoned();
    try {
      RegisteredSchema schema = registry.schema(own.id());
      outcome = new Found(schema);
      return schema;
    } catch (SchemaNotFoundException e) {
      notFound.increment();
      long ttlNanos = TimeUnit.MILLISECONDS.toNanos(settings.notFoundTtlMs());
      outcome = new Missing(e, nanoClock.getAsLong() + ttlNanos);
      throw e;
    } catch (RegistryUnavailableException e) {
      outcome = new Failed(e);
      throw e;
    } finally {
      if (outcome instanceof Found || outcome instanceof Missing) {
        own.end(outcome);
        keep(own);
      } else {
        // Out of the map first: who wakes up must not find it there again.
        lookups.remove(own.id(), own);
        own.end(outcome);
      }
    }
  }

  private void keep(Lookup lookup) {
    synchronized (kept) {
      // Each entry gets at most one more turn, however fast others use them meanwhile.
      for (int turns = kept.size(); kept.size() >= settings.maxEntries(); turns--) {
        Lookup oldest = kept.remove();
        if (turns > 0 && oldest.takeRecentlyUsed()) {
          kept.add(oldest);
        } else {
          lookups.remove(oldest.id(), oldest);
        }
      }
      kept.add(lookup);
    }
  }

  private void forget(Lookup lookup) {
    synchronized (kept) {
      kept.remove(lookup);
      lookups.remove(lookup.id(), lookup);
    }
  }

  @Override
  public String location() {
    return registry.location();
  }

  /** How many schemas and "not found" answers are kept. */
  public int size() {
    synchronized (kept) {
      return kept.size();
    }
  }

  /** How often the registry behind was asked. */
  public long requests() {
    return requests.sum();
  }

  /** How many lookups got their schema without a request of their own. */
  public long hits() {
    return hits.sum();
  }

  /** How many lookups ended with "not found", remembered or not. */
  public long notFound() {
    return notFound.sum();
  }

  @Override
  public void close() {
    registry.close();
  }
}
