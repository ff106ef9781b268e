package io.tidemark.connect.health;

import io.tidemark.connect.time.MonotonicClock;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a task is, and who is told: while it waits for a service, one warning names the service, its
 * address, the cause, since when, and the cure; it is repeated every five minutes, however many
 * topic-partitions wait. Looked after by the task's thread; what it found last can be asked for by
 * any thread.
 */
public final class TaskHealth {
  private static final Logger LOG = LoggerFactory.getLogger(TaskHealth.class);

  /** An outage of a moment is worth no line. */
  static final long TOLD_AFTER_MS = 5_000;

  static final long TOLD_AGAIN_MS = 300_000;

  /** A call without an answer for so long is an outage, too: clients try for minutes themselves. */
  static final long SILENT_MS = 10_000;

  private static final int NAMED_WAITERS = 3;

  private final Waits waits;
  private final List<ServiceCalls> calls;
  private final MonotonicClock clock;
  private final Clock wall;
  private final Map<Service, Told> told = new EnumMap<>(Service.class);
  private volatile List<Wait> found = List.of();

  /** What was told of one service. */
  private static final class Told {
    private final long sinceMs;
    private long refusedSinceMs = -1;
    private long toldMs = -1;
    private boolean toldRefused;

    Told(long sinceMs) {
      this.sinceMs = sinceMs;
    }
  }

  /**
   * All is well so far.
   *
   * @param waits what steps wait for
   * @param calls of the services whose silence is to be noticed
   */
  public TaskHealth(Waits waits, List<ServiceCalls> calls, MonotonicClock clock, Clock wall) {
    this.waits = waits;
    this.calls = List.copyOf(calls);
    this.clock = clock;
    this.wall = wall;
  }

  /** What steps wait for, for those that run them. */
  public Waits waits() {
    return waits;
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
    if (!now.isEmpty() || !told.isEmpty()) {
      tell(now);
    }
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
                    false,
                    wall.instant().minusMillis(call.lastsMs())));
  }

  /** The state that was found last. */
  public HealthState state() {
    return found.isEmpty() ? HealthState.WORKING : found.get(0).state();
  }

  /** What the task waits for, as it was found last: what is refused first, then the oldest. */
  public List<Wait> found() {
    return found;
  }

  /** As {@link #found}, in a line: the first of each service. */
  public String because() {
    return found.stream()
        .collect(
            Collectors.toMap(
                Wait::service,
                Wait::toString,
                (first, later) -> first,
                () -> new EnumMap<>(Service.class)))
        .values()
        .stream()
        .collect(Collectors.joining("; "));
  }

  /**
   * What has been refused for longer than a deadline.
   *
   * @param deadline 0 when refusals may last for ever
   */
  public Optional<Wait> refusedBeyond(Duration deadline) {
    if (deadline.isZero()) {
      return Optional.empty();
    }
    long nowMs = clock.millis();
    return found.stream()
        .filter(Wait::refused)
        .filter(
            wait -> {
              Told of = told.get(wait.service());
              return of != null
                  && of.refusedSinceMs >= 0
                  && nowMs - of.refusedSinceMs >= deadline.toMillis();
            })
        .findFirst();
  }

  private void tell(List<Wait> now) {
    long nowMs = clock.millis();
    for (Service service : Service.values()) {
      List<Wait> waiting = now.stream().filter(wait -> wait.service() == service).toList();
      Told before = told.get(service);
      if (!waiting.isEmpty()) {
        tell(waiting, told.computeIfAbsent(service, first -> new Told(nowMs)), nowMs);
      } else if (before != null) {
        told.remove(service);
        if (before.toldMs >= 0) {
          LOG.info(
              "{} answers again, after {} s", service.inWords(), (nowMs - before.sinceMs) / 1_000);
        }
      }
    }
  }

  private static void tell(List<Wait> waiting, Told of, long nowMs) {
    Wait first = waiting.get(0);
    boolean refused = first.refused();
    if (!refused) {
      of.refusedSinceMs = -1;
    } else if (of.refusedSinceMs < 0) {
      of.refusedSinceMs = nowMs;
    }
    boolean due = refused || nowMs - of.sinceMs >= TOLD_AFTER_MS;
    boolean isNew = of.toldMs < 0 || (refused && !of.toldRefused);
    if (due && (isNew || nowMs - of.toldMs >= TOLD_AGAIN_MS)) {
      of.toldMs = nowMs;
      of.toldRefused = refused;
      LOG.warn("{} {}{}", refused ? "refused by" : "waiting for", first, waiters(waiting));
    }
  }

  private static String waiters(List<Wait> waiting) {
    List<String> names =
        waiting.stream().map(Wait::waiter).filter(name -> !name.isEmpty()).distinct().toList();
    if (names.isEmpty()) {
      return "";
    }
    String named =
        names.stream().limit(NAMED_WAITERS).collect(Collectors.joining(", ", " Waits: ", ""));
    int more = names.size() - NAMED_WAITERS;
    return more > 0 ? "%s and %d more".formatted(named, more) : named;
  }
}
