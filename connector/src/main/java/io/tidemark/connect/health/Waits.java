package io.tidemark.connect.health;

import io.tidemark.store.MonotonicClock;
import io.tidemark.store.TopicPartition;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The present waits of the parts of a task. Thread-safe. */
public final class Waits {
  private final Map<Service, String> addresses;
  private final MonotonicClock monotonic;
  private final Clock wall;
  private final Map<Object, Step> bySteps = new ConcurrentHashMap<>();
  private final Map<Failure, LongAdder> failures = new ConcurrentHashMap<>();

  /** What each topic-partition says about the record for which it has waited for long. */
  private final Map<String, String> records = new ConcurrentSkipListMap<>();

  /** The time is that of the first refusal since the last outcome that was not a refusal. */
  private record Step(Wait shown, long refusedSinceMs) {}

  private record Failure(Service service, Optional<Refusal> refusal) {}

  /** {@code monotonic} measures durations, and {@code wall} returns times for people. */
  public Waits(Map<Service, String> addresses, MonotonicClock monotonic, Clock wall) {
    this.addresses = Map.copyOf(addresses);
    this.monotonic = monotonic;
    this.wall = wall;
  }

  public Instant now() {
    return wall.instant();
  }

  /**
   * Records that a step has failed and will be retried. The wait begins at the first failure.
   *
   * @param waiter the topic-partition or the topic of the step; empty for a step of the task
   * @param begun start of the attempt, which may be long ago if the service did not respond
   */
  public void failed(Object step, String waiter, Throwable failure, Instant begun) {
    Diagnosis diagnosis = Diagnosis.of(failure);
    count(diagnosis);
    note(step, waiter, diagnosis, begun);
  }

  /** Records a failure of an attempt that began just now; see {@link #failed}. */
  public void failed(Object step, String waiter, Throwable failure) {
    failed(step, waiter, failure, now());
  }

  /** Records that a step waits until an operator changes a service. */
  public void refused(Object step, String waiter, Service service, String cause, String cure) {
    Diagnosis diagnosis = new Diagnosis(service, cause, cure, Optional.of(Refusal.OTHER));
    count(diagnosis);
    note(step, waiter, diagnosis, now());
  }

  /** Records that a step waits for a service's response. The call has not failed yet. */
  public void silent(Object step, String waiter, Service service, String cause, Instant begun) {
    note(step, waiter, Diagnosis.silence(service, cause), begun);
  }

  /** Records that a topic's tables refuse its records, so that all of the topic is paused. */
  public void refusedByTable(Object step, String topic, String tables, String cause, String cure) {
    Diagnosis diagnosis = new Diagnosis(Service.TABLE, cause, cure, Optional.of(Refusal.OTHER));
    count(diagnosis);
    bySteps.compute(step, (same, before) -> next(before, topic, tables, diagnosis, now()));
  }

  private void count(Diagnosis diagnosis) {
    failures
        .computeIfAbsent(
            new Failure(diagnosis.service(), diagnosis.refusal()), first -> new LongAdder())
        .increment();
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
            address,
            diagnosis,
            before != null && same ? before.shown().since() : begun,
            now(),
            diagnosis.refusal().isPresent()
                ? Duration.ofMillis(nowMs - refusedSinceMs)
                : Duration.ZERO),
        refusedSinceMs);
  }

  /** Records that a step has succeeded, or is no longer needed. */
  public void over(Object step) {
    bySteps.remove(step);
  }

  /** Names the record for which a topic-partition waits for long. Returns whether it is new. */
  public boolean waitsOn(TopicPartition topicPartition, String record) {
    return !record.equals(records.put(topicPartition.toString(), record));
  }

  public void noRecord(TopicPartition topicPartition) {
    records.remove(topicPartition.toString());
  }

  /** Returns the texts of {@link #waitsOn}, by topic-partition. */
  public Map<String, String> records() {
    return Collections.unmodifiableMap(records);
  }

  /** Ends a wait, unless the step was refused. Used for a success of another step. */
  public void overUnlessRefused(Object step) {
    bySteps.computeIfPresent(step, (same, before) -> before.shown().refused() ? before : null);
  }

  public Collection<Wait> all() {
    return bySteps.values().stream().map(Step::shown).toList();
  }

  public long failures(Service service) {
    return failures.entrySet().stream()
        .filter(each -> each.getKey().service() == service)
        .mapToLong(each -> each.getValue().sum())
        .sum();
  }

  public long refusals(Service service, Refusal refusal) {
    LongAdder count = failures.get(new Failure(service, Optional.of(refusal)));
    return count == null ? 0 : count.sum();
  }
}
