package io.tidemark.registry.cache;

import io.tidemark.registry.Printable;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaChangedException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.SchemaRegistry;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Confirms that a registry still has the schemas in use. A registry that was wiped counts its ids
 * from the start again, so an id can get another schema. Safe for use by many threads. A background
 * thread sends one request at a time.
 *
 * <ul>
 *   <li>A schema of the cache file is confirmed before its first use. If the registry does not
 *       respond then, the schema is used, and is confirmed as soon as the registry responds.
 *   <li>A schema in memory is confirmed once in each interval.
 * </ul>
 *
 * <p>"Not found" is not a contradiction, and does not end one: schemas are deleted while their
 * records remain.
 */
final class Confirmations implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Confirmations.class);

  /** The time between two requests of the background thread: at most 50 a second. */
  private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int MOST_DOUBLINGS = 3;

  /** The schemas in memory; its methods never wait. */
  interface Memory {
    Optional<RegisteredSchema> find(SchemaId id);

    void forget(SchemaId id);
  }

  /**
   * The time at which an id is to be confirmed.
   *
   * @param unconfirmed the schema that was used without a response of the registry; empty for an id
   *     in memory
   */
  private record Due(long atNanos, Optional<RegisteredSchema> unconfirmed) {}

  /** The waiting time while no id is to be confirmed. */
  private static final long NO_END = Long.MAX_VALUE;

  private final SchemaRegistry registry;
  private final Contradictions contradictions;
  private final Memory memory;
  private final long intervalNanos;
  private final LongSupplier nanoClock;
  private final boolean behind;

  /** The ids to be confirmed. Guarded by this, as all fields below. */
  private final Map<SchemaId, Due> due = new HashMap<>();

  /** The unknown ids that were logged. */
  private final Set<SchemaId> told = new HashSet<>();

  /** The registry did not respond, and gets no request before this time. */
  private @Nullable Long awayUntil;

  /** The time of the background thread's next request: after its pace, or after its backoff. */
  private long retryAt;

  private int failures;
  private @Nullable Thread thread;
  private boolean closed;

  /** Counts changes for which the background thread must not wait until its pause is over. */
  private long news;

  /**
   * @param registry the registry, without retries
   * @param intervalMs interval in ms; 0: schemas in memory are not confirmed
   * @param behind whether a background thread runs the steps; else the caller runs {@link #step}
   */
  Confirmations(
      SchemaRegistry registry,
      Contradictions contradictions,
      Memory memory,
      int intervalMs,
      LongSupplier nanoClock,
      boolean behind) {
    this.registry = registry;
    this.contradictions = contradictions;
    this.memory = memory;
    this.intervalNanos = TimeUnit.MILLISECONDS.toNanos(intervalMs);
    this.nanoClock = nanoClock;
    this.behind = behind;
    this.retryAt = nanoClock.getAsLong();
  }

  /** Notes that the registry has returned this schema, and that the schema is in memory. */
  synchronized void loaded(SchemaId id) {
    answered();
    confirmLater(id);
    begin();
  }

  /**
   * Returns a schema of the cache file, unless the registry has another schema. If the registry
   * does not respond now, the schema is returned, too.
   *
   * @throws SchemaChangedException if the registry has another schema
   */
  RegisteredSchema confirmed(RegisteredSchema known)
      throws RegistryException, InterruptedException {
    SchemaId id = known.id();
    boolean contradicted = contradictions.before(id).isPresent();
    if (!contradicted && isAway()) {
      useUnconfirmed(known, "the registry is unavailable");
      return known;
    }
    long start = nanoClock.getAsLong();
    try {
      Answer answer = ask(known);
      if (answer.change().isPresent()) {
        throw contradictions.add(known, answer.change().get());
      }
      SchemaChangedException contradiction = contradictions.all().get(id);
      if (!answer.present() && contradiction != null) {
        // Records that were written with the other schema still exist.
        throw contradiction.again();
      }
      contradictions.remove(id);
      loaded(id);
    } catch (RegistryUnavailableException e) {
      SchemaChangedException contradiction = contradictions.all().get(id);
      if (contradiction != null) {
        throw contradiction.again();
      }
      noteOutage(start);
      useUnconfirmed(known, String.valueOf(e.getMessage()));
    }
    return known;
  }

  /**
   * The registry's response for the id of a schema.
   *
   * @param present whether the registry has the id
   * @param change the other schema that the registry has; empty if there is none
   */
  private record Answer(boolean present, Optional<String> change) {}

  private Answer ask(RegisteredSchema known)
      throws RegistryUnavailableException, InterruptedException {
    try {
      RegisteredSchema now = registry.schema(known.id());
      return new Answer(
          true,
          now.schema().equals(known.schema())
              ? Optional.empty()
              : Optional.of("the schema with fingerprint " + now.fingerprint()));
    } catch (RegistryUnavailableException e) {
      throw e;
    } catch (SchemaNotFoundException e) {
      if (e.isUnusable()) {
        return new Answer(
            true, Optional.of("a schema that is not Avro, is too large, or cannot be parsed"));
      }
      if (contradictions.before(known.id()).isEmpty()) {
        tellUnknown(known);
      }
      return new Answer(false, Optional.empty());
    } catch (RegistryException e) {
      throw new RegistryUnavailableException(String.valueOf(e.getMessage()), e.code(), e);
    }
  }

  private synchronized void tellUnknown(RegisteredSchema known) {
    if (told.add(known.id())) {
      LOG.warn(
          "{} is not in {} any more. Its former schema, with fingerprint {}, stays in use. If it"
              + " was deleted, nothing need be done. If the registry was wiped, restore it before it"
              + " assigns the id again.",
          known.id(),
          registry.location(),
          known.fingerprint());
    }
  }

  /**
   * Notes that the registry did not respond. Lookups then use the cache file without a request, for
   * as long as the failed request took. So a registry that is down costs no time, and a registry
   * that hangs costs at most half of the time.
   */
  private synchronized void noteOutage(long start) {
    long now = nanoClock.getAsLong();
    awayUntil = now + (now - start);
  }

  private synchronized boolean isAway() {
    return awayUntil != null && awayUntil - nanoClock.getAsLong() > 0;
  }

  private synchronized void answered() {
    awayUntil = null;
    if (failures > 0) {
      failures = 0;
      long now = nanoClock.getAsLong();
      retryAt = now;
      due.replaceAll(
          (id, one) -> one.unconfirmed().isEmpty() ? one : new Due(now, one.unconfirmed()));
      news++;
      notifyAll();
    }
  }

  private synchronized void useUnconfirmed(RegisteredSchema known, String reason) {
    Due before = due.put(known.id(), new Due(nanoClock.getAsLong(), Optional.of(known)));
    if (before == null || before.unconfirmed().isEmpty()) {
      LOG.info(
          "{} of {} is taken from the cache file, and will be confirmed later: {}",
          known.id(),
          registry.location(),
          reason);
    }
    begin();
  }

  private synchronized void confirmLater(SchemaId id) {
    if (intervalNanos > 0 && id.isAssigned()) {
      due.put(id, new Due(nanoClock.getAsLong() + intervalNanos, Optional.empty()));
    } else {
      due.remove(id);
    }
  }

  /** Wakes the background thread, or starts it. Called under the lock. */
  private void begin() {
    if (behind && thread == null && !closed && !due.isEmpty()) {
      thread = new Thread(this::run, "tidemark-schema-confirm");
      thread.setDaemon(true);
      thread.start();
    }
    news++;
    notifyAll();
  }

  private void run() {
    try {
      long seen;
      do {
        seen = news();
      } while (pause(step(), seen));
    } catch (InterruptedException e) {
      // Closing interrupts a request in progress.
      Thread.currentThread().interrupt();
    }
  }

  private synchronized long news() {
    return news;
  }

  /** Waits until the time is over or there is a change; returns false if closed. */
  private synchronized boolean pause(long nanos, long seen) throws InterruptedException {
    long start = System.nanoTime();
    while (!closed && news == seen) {
      long left = nanos - (System.nanoTime() - start);
      if (left <= 0) {
        break;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return !closed;
  }

  /** Confirms the next schema that is due. Returns the ns until the next step. */
  long step() throws InterruptedException {
    RegisteredSchema next = next();
    if (next == null) {
      return untilNext();
    }
    try {
      settle(next, ask(next).change());
      return PACE_NANOS;
    } catch (RegistryUnavailableException e) {
      return failed(next, e);
    } catch (RuntimeException e) {
      // Without the stack trace, whose messages may have texts of the registry.
      LOG.warn(
          "{} of {} cannot be confirmed: {}",
          next.id(),
          registry.location(),
          Printable.of(e.toString()));
      return failed(next, e);
    }
  }

  private synchronized @Nullable RegisteredSchema next() {
    long now = nanoClock.getAsLong();
    while (retryAt - now <= 0) {
      Optional<Map.Entry<SchemaId, Due>> first = first(now);
      if (first.isEmpty() || first.get().getValue().atNanos() - now > 0) {
        return null;
      }
      SchemaId id = first.get().getKey();
      Optional<RegisteredSchema> schema =
          first.get().getValue().unconfirmed().or(() -> memory.find(id));
      if (schema.isPresent()) {
        return schema.get();
      }
      due.remove(id);
    }
    return null;
  }

  private Optional<Map.Entry<SchemaId, Due>> first(long now) {
    return due.entrySet().stream()
        .min(Comparator.comparingLong(entry -> entry.getValue().atNanos() - now));
  }

  private synchronized long untilNext() {
    long now = nanoClock.getAsLong();
    return first(now)
        .map(entry -> Math.max(1, Math.max(entry.getValue().atNanos() - now, retryAt - now)))
        .orElse(NO_END);
  }

  private synchronized void settle(RegisteredSchema asked, Optional<String> change) {
    failures = 0;
    awayUntil = null;
    retryAt = nanoClock.getAsLong() + PACE_NANOS;
    if (change.isPresent()) {
      due.remove(asked.id());
      contradictions.add(asked, change.get());
      // Order matters: a thread that misses the schema in memory finds the contradiction.
      memory.forget(asked.id());
    } else {
      confirmLater(asked.id());
    }
  }

  private synchronized long failed(RegisteredSchema asked, Exception failure) {
    long pause = FIRST_PAUSE_NANOS << Math.min(failures++, MOST_DOUBLINGS);
    LOG.debug("{} is retried in {} ns: {}", registry.location(), pause, failure.getMessage());
    retryAt = nanoClock.getAsLong() + pause;
    // After the others: a schema that always fails must not delay them.
    due.put(asked.id(), new Due(retryAt, Optional.of(asked)));
    return pause;
  }

  /**
   * Returns the contradictions. Called under the lock: an id that is returned here is not in memory
   * any more, so a later lookup does not return the former schema.
   */
  synchronized Map<SchemaId, SchemaChangedException> contradictions() {
    return contradictions.all();
  }

  /** Ends the background thread, without waiting for it. */
  @Override
  public synchronized void close() {
    closed = true;
    if (thread != null) {
      thread.interrupt();
    }
    notifyAll();
  }
}
