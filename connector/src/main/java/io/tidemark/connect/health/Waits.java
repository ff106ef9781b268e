package io.tidemark.connect.health;

import io.tidemark.connect.time.MonotonicClock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What the parts of a task wait for now. Safe for use by many threads. */
public final class Waits {
  private final Map<Service, String> addresses;
  private final MonotonicClock monotonic;
  private final Clock wall;
  private final Map<Object, Step> bySteps = new ConcurrentHashMap<>();
  private final Map<Service, FailureCounts> failures = new EnumMap<>(Service.class);

  /** {@code refusedSinceMs} is of the first of the refusals that have followed one another. */
  private record Step(Wait shown, long refusedSinceMs) {}

  /**
   * None wait yet.
   *
   * @param addresses of the services, as the configuration has them
   * @param monotonic says for how long
   * @param wall says since when, for people
   */
  public Waits(Map<Service, String> addresses, MonotonicClock monotonic, Clock wall) {
    this.addresses = Map.copyOf(addresses);
    this.monotonic = monotonic;
    this.wall = wall;
    for (Service service : Service.values()) {
      failures.put(service, new FailureCounts());
    }
  }

  /** Failures of steps that one service was the cause of, by what they were. */
  private static final class FailureCounts {
    private final LongAdder all = new LongAdder();
    private final Map<Refusal, LongAdder> refusals = new EnumMap<>(Refusal.class);

    FailureCounts() {
      for (Refusal each : Refusal.values()) {
        refusals.put(each, new LongAdder());
      }
    }
  }

  /** Now, for people. */
  public Instant now() {
    return wall.instant();
  }

  /**
   * A step has failed, and will be tried again: since its first failure it waits.
   *
   * @param step tells it from others
   * @param waiter the topic-partition or the topic whose step it is; empty for the task's
   * @param begun when the try began: the service may have been silent for long
   */
  public void failed(Object step, String waiter, Throwable failure, Instant begun) {
    Diagnosis diagnosis = Diagnosis.of(failure);
    count(diagnosis);
    note(step, waiter, diagnosis, begun);
  }

  /** As {@link #failed}, for a failure that was noticed just now. */
  public void failed(Object step, String waiter, Throwable failure) {
    failed(step, waiter, failure, now());
  }

  /** A step waits for a service to be changed by an operator. */
  public void refused(Object step, String waiter, Service service, String cause, String cure) {
    Diagnosis diagnosis = new Diagnosis(service, cause, cure, Optional.of(Refusal.OTHER));
    count(diagnosis);
    note(step, waiter, diagnosis, now());
  }

  /** A step waits for a service's answer, which has not failed yet. */
  public void silent(Object step, String waiter, Service service, String cause, Instant begun) {
    note(
        step,
        waiter,
        new Diagnosis(service, cause, Diagnosis.passing(service), Optional.empty()),
        begun);
  }

  /**
   * A topic's records are refused by its tables, until an operator has acted.
   *
   * @param topic none of whose topic-partitions is read meanwhile
   * @param tables their names
   */
  public void refusedByTable(Object step, String topic, String tables, String cause, String cure) {
    Diagnosis diagnosis = new Diagnosis(Service.TABLE, cause, cure, Optional.of(Refusal.OTHER));
    count(diagnosis);
    bySteps.compute(step, (same, before) -> next(before, topic, tables, diagnosis, now()));
  }

  private void count(Diagnosis diagnosis) {
    FailureCounts counts = failures.get(diagnosis.service());
    if (counts != null) {
      counts.all.increment();
      diagnosis.refusal().map(counts.refusals::get).ifPresent(LongAdder::increment);
    }
  }

  private void note(Object step, String waiter, Diagnosis diagnosis, Instant begun) {
    String address = addresses.getOrDefault(diagnosis.service(), "");
    bySteps.compute(step, (same, before) -> next(before, waiter, address, diagnosis, begun));
  }

  private Step next(
      @Nullable Step before, String waiter, String address, Diagnosis diagnosis, Instant begun) {
    boolean same = before != null && before.shown().service() == diagnosis.service();
    long nowMs = monotonic.millis();
    long refusedSinceMs =
        before != null && same && before.shown().refused() ? before.refusedSinceMs() : nowMs;
    return new Step(
        new Wait(
            waiter,
            diagnosis.service(),
            address,
            diagnosis.cause(),
            diagnosis.cure(),
            diagnosis.refusal(),
            before != null && same ? before.shown().since() : begun,
            now(),
            diagnosis.refusal().isPresent()
                ? Duration.ofMillis(nowMs - refusedSinceMs)
                : Duration.ZERO),
        refusedSinceMs);
  }

  /** A step has succeeded, or is not wanted any more. */
  public void over(Object step) {
    bySteps.remove(step);
  }

  /** As {@link #over}, unless the step was refused: something else has succeeded. */
  public void overUnlessRefused(Object step) {
    bySteps.computeIfPresent(step, (same, before) -> before.shown().refused() ? before : null);
  }

  /** What is waited for. */
  public Collection<Wait> all() {
    return bySteps.values().stream().map(Step::shown).toList();
  }

  /** How many tries have failed because of a service, so far. */
  public long failures(Service service) {
    FailureCounts counts = failures.get(service);
    return counts == null ? 0 : counts.all.sum();
  }

  /** How many of them were refusals of a kind. */
  public long refusals(Service service, Refusal refusal) {
    FailureCounts counts = failures.get(service);
    LongAdder count = counts == null ? null : counts.refusals.get(refusal);
    return count == null ? 0 : count.sum();
  }
}
