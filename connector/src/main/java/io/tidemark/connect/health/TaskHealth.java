package io.tidemark.connect.health;

import io.tidemark.connect.time.MonotonicClock;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * How a task is: what it waits for, or that it waits for nothing. Looked after by the task's
 * thread, which has people told ({@link HealthLog}); what it found last can be asked for by any
 * thread.
 */
public final class TaskHealth {

  /** A call without an answer for so long is an outage, too: clients try for minutes themselves. */
  static final long SILENT_MS = 10_000;

  private final Waits waits;
  private final List<ServiceCalls> calls;
  private final Clock wall;
  private final HealthLog log;
  private volatile List<Wait> found = List.of();

  /**
   * All is well so far.
   *
   * @param waits what steps wait for
   * @param calls of the services whose silence is to be noticed
   */
  public TaskHealth(Waits waits, List<ServiceCalls> calls, MonotonicClock clock, Clock wall) {
    this(waits, calls, clock, wall, HealthLog.Lines.toLog());
  }

  TaskHealth(
      Waits waits,
      List<ServiceCalls> calls,
      MonotonicClock clock,
      Clock wall,
      HealthLog.Lines lines) {
    this.waits = waits;
    this.calls = List.copyOf(calls);
    this.wall = wall;
    this.log = new HealthLog(clock, lines);
  }

  /** What steps wait for, for those that run them. */
  public Waits waits() {
    return waits;
  }

  /** The calls of each service whose silence is noticed. */
  public List<ServiceCalls> calls() {
    return calls;
  }

  /** Looks how it is now, and tells people what is new. To be called now and then. */
  public void look() {
    List<Wait> now = new ArrayList<>(waits.all());
    for (ServiceCalls each : calls) {
      if (now.stream().noneMatch(wait -> wait.service() == each.service())) {
        silence(each).ifPresent(now::add);
      }
    }
    now.sort(
        Comparator.comparing((Wait wait) -> !wait.refused())
            .thenComparing(Wait::since)
            .thenComparing(Wait::waiter));
    found = List.copyOf(now);
    log.look(now);
  }

  private Optional<Wait> silence(ServiceCalls of) {
    return of.longest()
        .filter(call -> call.lastsMs() >= SILENT_MS)
        .map(
            call ->
                new Wait(
                    "",
                    of.service(),
                    of.address(),
                    "it has not answered (%s) for %d s"
                        .formatted(call.what(), call.lastsMs() / 1_000),
                    Diagnosis.passing(of.service()),
                    Optional.empty(),
                    wall.instant().minusMillis(call.lastsMs()),
                    wall.instant(),
                    Duration.ZERO));
  }

  /** The state that was found last. */
  public HealthState state() {
    return state(found);
  }

  /** What the task waits for, as it was found last: what is refused first, then the oldest. */
  public List<Wait> found() {
    return found;
  }

  /** What of {@link #found} a topic-partition waits for: its own, its topic's and the task's. */
  public List<Wait> foundOf(TopicPartition topicPartition) {
    List<Wait> all = found;
    if (all.isEmpty()) {
      return all;
    }
    Set<String> waiters = Set.of("", topicPartition.toString(), topicPartition.topic());
    return all.stream().filter(wait -> waiters.contains(wait.waiter())).toList();
  }

  /** The state of who waits so, the most important first. */
  public static HealthState state(List<Wait> waits) {
    return waits.isEmpty() ? HealthState.WORKING : waits.get(0).state();
  }

  /** {@link #found} in a line: the first of each service, with what that said last. */
  public String because() {
    return because(found);
  }

  /** What is waited for in a line: the first of each service, with what that said last. */
  public static String because(List<Wait> waits) {
    return waits.stream()
        .collect(
            Collectors.toMap(
                Wait::service, wait -> wait, Wait::withNewerOf, () -> new EnumMap<>(Service.class)))
        .values()
        .stream()
        .map(Wait::toString)
        .collect(Collectors.joining("; "));
  }

  /**
   * What was refused again when it had been refused for longer than a deadline.
   *
   * @param deadline 0 when refusals may last for ever
   */
  public Optional<Wait> refusedBeyond(Duration deadline) {
    return deadline.isZero()
        ? Optional.empty()
        : found.stream()
            .filter(wait -> wait.refused() && wait.refusedFor().compareTo(deadline) >= 0)
            .findFirst();
  }
}
