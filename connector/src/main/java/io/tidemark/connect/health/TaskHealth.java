package io.tidemark.connect.health;

import io.tidemark.store.MonotonicClock;
import io.tidemark.store.TopicPartition;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The health of a task: the waits of its steps. The task's thread updates it by {@link #look},
 * which also logs changes ({@link HealthLog}). Any thread may read the result of the last call.
 */
public final class TaskHealth {

  /** A call without a response for this time is an outage: clients retry for minutes. */
  static final long SILENT_MS = 10_000;

  private static final int MOST_FOR_OPERATOR = 20;
  private static final int NAMED_RECORDS = 3;

  private final Waits waits;
  private final List<ServiceCalls> calls;
  private final Clock wall;
  private final HealthLog log;
  private volatile List<Wait> found = List.of();

  /** The texts of {@link #forOperator}, by wait. */
  private Map<String, String> shown = Map.of();

  /** {@code calls} are those of the services whose missing responses are detected. */
  public TaskHealth(Waits waits, List<ServiceCalls> calls, MonotonicClock clock, Clock wall) {
    this(waits, calls, clock, wall, LoggerFactory.getLogger(TaskHealth.class));
  }

  TaskHealth(Waits waits, List<ServiceCalls> calls, MonotonicClock clock, Clock wall, Logger log) {
    this.waits = waits;
    this.calls = List.copyOf(calls);
    this.wall = wall;
    this.log = new HealthLog(clock, log);
  }

  public Waits waits() {
    return waits;
  }

  public List<ServiceCalls> calls() {
    return calls;
  }

  /** Updates the health, and logs changes. Call this method regularly. */
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
                    of.address(),
                    Diagnosis.silence(
                        of.service(),
                        "no answer (%s) for %d s".formatted(call.what(), call.lastsMs() / 1_000)),
                    wall.instant().minusMillis(call.lastsMs()),
                    wall.instant(),
                    Duration.ZERO));
  }

  /** The state at the last call of {@link #look}. */
  public HealthState state() {
    return state(found);
  }

  /**
   * The waits, at the last call of {@link #look}, of the topic-partition, its topic and the task:
   * refusals first, then the oldest.
   */
  public List<Wait> foundOf(TopicPartition topicPartition) {
    List<Wait> all = found;
    if (all.isEmpty()) {
      return all;
    }
    Set<String> waiters = Set.of("", topicPartition.toString(), topicPartition.topic());
    List<Wait> of = new ArrayList<>();
    all.stream().filter(wait -> waiters.contains(wait.waiter())).forEach(of::add);
    Optional.ofNullable(waits.records().get(topicPartition.toString()))
        .filter(record -> !of.isEmpty())
        .ifPresent(record -> of.set(0, of.get(0).with(record)));
    return of;
  }

  /**
   * Returns the waits that may need an operator: refusals, and records for which a topic-partition
   * has waited for long. The text of a wait stays the same while it lasts, also if a service
   * answers with other words. Called by the task's thread.
   */
  public List<String> forOperator() {
    Map<String, String> now = new TreeMap<>();
    for (Wait wait : found) {
      if (wait.refused()) {
        String text = wait.waiter().isEmpty() ? wait.toString() : wait.waiter() + ": " + wait;
        String key = wait.since() + wait.waiter() + wait.service();
        now.put(key, shown.getOrDefault(key, text));
      }
    }
    now.putAll(waits.records());
    shown = now;
    return now.values().stream().limit(MOST_FOR_OPERATOR).toList();
  }

  /** Returns the state for a list of waits; the first wait is the most important. */
  public static HealthState state(List<Wait> waits) {
    return waits.isEmpty() ? HealthState.WORKING : waits.get(0).state();
  }

  public String because() {
    return Stream.concat(
            Stream.of(because(found)), waits.records().values().stream().limit(NAMED_RECORDS))
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining("; "));
  }

  /** Returns waits as one line, with the first wait and the newest response of each service. */
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

  /** Returns a wait that was refused again after {@code deadline}; 0 means without a limit. */
  public Optional<Wait> refusedBeyond(Duration deadline) {
    return deadline.isZero()
        ? Optional.empty()
        : found.stream()
            .filter(wait -> wait.refused() && wait.refusedFor().compareTo(deadline) >= 0)
            .findFirst();
  }
}
