package io.tidemark.registry.cache;

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
 * Asks a registry again whether it still has the schemas that we use. An id keeps its meaning only
 * as long as its registry keeps its content: one that was wiped begins to count anew. Safe for use
 * by many threads; a thread of its own asks behind, one question at a time.
 *
 * <ul>
 *   <li>A schema of the copy on disk is confirmed before its first use. If the registry does not
 *       answer then, it is used, and confirmed as soon as the registry answers.
 *   <li>A schema in memory is confirmed once in each interval.
 * </ul>
 *
 * <p>"Unknown" contradicts nothing, and ends no contradiction: schemas are deleted, and their
 * records stay.
 */
final class Confirmations implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Confirmations.class);

  /** Between two questions of the thread behind: at most 50 a second. */
  private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int MOST_DOUBLINGS = 3;

  /** What is kept in memory; never waits. */
  interface Memory {
    Optional<RegisteredSchema> find(SchemaId id);

    void forget(SchemaId id);
  }

  /**
   * When an id is to be confirmed.
   *
   * @param unconfirmed what was used without an answer of the registry; empty for what is in memory
   */
  private record Due(long atNanos, Optional<RegisteredSchema> unconfirmed) {}

  /** Nothing to wait for but another id. */
  private static final long NO_END = Long.MAX_VALUE;

  private final SchemaRegistry registry;
  private final Contradictions contradictions;
  private final Memory memory;
  private final long intervalNanos;
  private final LongSupplier nanoClock;
  private final boolean behind;

  /** What is to be confirmed. Guarded by this, as all that follows. */
  private final Map<SchemaId, Due> due = new HashMap<>();

  /** Unknown ids that were told. */
  private final Set<SchemaId> told = new HashSet<>();

  /** The registry gave no answer, and is not asked before this time. */
  private @Nullable Long awayUntil;

  /** When the thread behind asks again: after its pace, or after a pause for so many failures. */
  private long retryAt;

  private int failures;
  private @Nullable Thread thread;
  private boolean closed;

  /** Counts what the thread behind should look at before its pause is over. */
  private long news;

  /**
   * @param registry answers or fails at once, without rounds
   * @param intervalMs 0: schemas in memory are not confirmed
   * @param behind whether a thread does the steps; else who calls {@link #step}
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

  /** The registry has just answered with this schema, which is kept in memory from now on. */
  synchronized void loaded(SchemaId id) {
    answered();
    confirmLater(id);
    begin();
  }

  /**
   * A schema known from before, if the registry says nothing against it or gives no answer now.
   *
   * @throws SchemaChangedException the registry has another one
   */
  RegisteredSchema confirmed(RegisteredSchema known)
      throws RegistryException, InterruptedException {
    SchemaId id = known.id();
    boolean contradicted = contradictions.before(id).isPresent();
    if (!contradicted && isAway()) {
      useUnconfirmed(known, "the registry is away");
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
        // Records that were written with the other schema are still there.
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
   * What the registry has under the id of a schema.
   *
   * @param present whether it has anything
   * @param change what it has in place of the schema; empty when it has that, or has nothing
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
              : Optional.of("that of fingerprint " + now.fingerprint()));
    } catch (RegistryUnavailableException e) {
      throw e;
    } catch (SchemaNotFoundException e) {
      if (e.isUnusable()) {
        return new Answer(true, Optional.of("no Avro schema that can be read"));
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
          "{} is unknown to {} by now. Its schema of before, of fingerprint {}, stays in use."
              + " Nothing need be done if it was deleted; if the registry was wiped, restore it"
              + " before it gives the id again.",
          known.id(),
          registry.location(),
          known.fingerprint());
    }
  }

  /**
   * For as long as the question took, others are answered without one: those to a registry that is
   * down cost nothing, and those to one that hangs at most half of the time.
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
          "{} of {} is taken from the copy on disk, and confirmed later: {}",
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

  /** Under the lock: has the thread look at what there is to do. */
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
      // Closing interrupts a question that is under way.
      Thread.currentThread().interrupt();
    }
  }

  private synchronized long news() {
    return news;
  }

  /** Until the time is up or there is news since; false when closed. */
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

  /** Confirms the next schema that is due, and says how long nothing more is to be done. */
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
      LOG.warn("{} of {} cannot be confirmed", next.id(), registry.location(), e);
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
      // In this order: who misses it in memory finds the contradiction.
      memory.forget(asked.id());
    } else {
      confirmLater(asked.id());
    }
  }

  private synchronized long failed(RegisteredSchema asked, Exception failure) {
    long pause = FIRST_PAUSE_NANOS << Math.min(failures++, MOST_DOUBLINGS);
    LOG.debug("{} is asked again in {} ns: {}", registry.location(), pause, failure.getMessage());
    retryAt = nanoClock.getAsLong() + pause;
    // Behind the others: one that always fails must not keep them from being asked.
    due.put(asked.id(), new Due(retryAt, Optional.of(asked)));
    return pause;
  }

  /**
   * What the registry contradicts. Under the lock: what is told here is in memory no more, so that
   * who then asks for the schema does not get the one of before.
   */
  synchronized Map<SchemaId, SchemaChangedException> contradictions() {
    return contradictions.all();
  }

  /** Ends the thread; does not wait for it. */
  @Override
  public synchronized void close() {
    closed = true;
    if (thread != null) {
      thread.interrupt();
    }
    notifyAll();
  }
}
