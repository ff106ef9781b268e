package io.tidemark.connect.health;

import io.tidemark.store.MonotonicClock;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;

/**
 * Logs a warning while a task waits for a service. There is one line for each service, every five
 * minutes, for any number of topic-partitions. Another follows the wait. Not thread-safe.
 */
final class HealthLog {
  /** Shorter outages are not logged. */
  static final long LOGGED_AFTER_MS = 5_000;

  static final long LOGGED_AGAIN_MS = 300_000;

  /** A wait that disappears for a moment between two failed attempts has not ended. */
  static final long OVER_AFTER_MS = 1_000;

  private static final long NEVER = Long.MIN_VALUE;
  private static final int NAMED_WAITERS = 3;

  private final MonotonicClock clock;
  private final Logger log;
  private final Map<Service, Outage> outages = new EnumMap<>(Service.class);

  /** The lines that were logged about one service during the present wait for it. */
  private static final class Outage {
    private final long sinceMs;
    private final String name;
    private long warnedMs = NEVER;
    private boolean warnedOfRefusal;
    private long quietSinceMs = NEVER;

    Outage(long sinceMs, Wait first) {
      this.sinceMs = sinceMs;
      this.name =
          "%s (%s %s)"
              .formatted(first.service().inWords(), first.service().addressKey(), first.address());
    }
  }

  HealthLog(MonotonicClock clock, Logger log) {
    this.clock = clock;
    this.log = log;
  }

  /** Logs changes. {@code now} contains the present waits, the most important wait first. */
  void look(List<Wait> now) {
    if (now.isEmpty() && outages.isEmpty()) {
      return;
    }
    long nowMs = clock.millis();
    for (Service service : Service.values()) {
      List<Wait> waiting = now.stream().filter(wait -> wait.service() == service).toList();
      Outage before = outages.get(service);
      if (!waiting.isEmpty()) {
        Wait first = waiting.get(0);
        warn(waiting, outages.computeIfAbsent(service, absent -> new Outage(nowMs, first)), nowMs);
      } else if (before != null) {
        if (before.quietSinceMs == NEVER) {
          before.quietSinceMs = nowMs;
        } else if (nowMs - before.quietSinceMs >= OVER_AFTER_MS) {
          outages.remove(service);
          end(before);
        }
      }
    }
  }

  private void warn(List<Wait> waiting, Outage of, long nowMs) {
    Wait first = waiting.stream().reduce(Wait::withNewerOf).orElseThrow();
    of.quietSinceMs = NEVER;
    boolean due = first.refused() || nowMs - of.sinceMs >= LOGGED_AFTER_MS;
    boolean isNew = of.warnedMs == NEVER || (first.refused() && !of.warnedOfRefusal);
    if (due && (isNew || nowMs - of.warnedMs >= LOGGED_AGAIN_MS)) {
      of.warnedMs = nowMs;
      of.warnedOfRefusal |= first.refused();
      log.warn("{} {}{}", first.refused() ? "refused by" : "waiting for", first, waiters(waiting));
    }
  }

  private void end(Outage of) {
    if (of.warnedMs != NEVER) {
      log.info(
          "the wait for {} has ended after {} s", of.name, (of.quietSinceMs - of.sinceMs) / 1_000);
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
