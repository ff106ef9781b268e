package io.tidemark.connect.health;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A wait of a task, a topic or a topic-partition for a service. Times are in whole seconds.
 *
 * @param waiter the topic-partition or the topic that waits; empty for the task as a whole
 * @param diagnosis the last failure; or that there is no response
 * @param latest time of the service's last response or failure
 * @param refusedFor time from the first refusal to the latest
 */
public record Wait(
    String waiter,
    String address,
    Diagnosis diagnosis,
    Instant since,
    Instant latest,
    Duration refusedFor) {

  public Wait {
    since = since.truncatedTo(ChronoUnit.SECONDS);
    latest = latest.truncatedTo(ChronoUnit.SECONDS);
  }

  public Service service() {
    return diagnosis.service();
  }

  /** Returns this wait with the diagnosis of another of its service, if that is newer. */
  Wait withNewerOf(Wait other) {
    return other.refused() != refused() || !other.latest.isAfter(latest)
        ? this
        : new Wait(waiter, address, other.diagnosis, since, other.latest, refusedFor);
  }

  /** Returns this wait with a sentence more after what to do. */
  Wait with(String sentence) {
    Diagnosis more =
        new Diagnosis(
            service(), diagnosis.cause(), diagnosis.cure() + " " + sentence, diagnosis.refusal());
    return new Wait(waiter, address, more, since, latest, refusedFor);
  }

  /** Whether an operator must change something to end the wait. */
  public boolean refused() {
    return diagnosis.refusal().isPresent();
  }

  public HealthState state() {
    return refused() ? HealthState.REFUSED : HealthState.WAITING;
  }

  /** Example: {@code the store (store.url hdfs://nn:8020) since 2026-11-21T07:00:00Z: ... .}. */
  @Override
  public String toString() {
    String cause = diagnosis.cause();
    return "%s (%s %s) since %s: %s%s %s"
        .formatted(
            service().inWords(),
            service().addressKey(),
            address,
            since,
            cause,
            cause.endsWith(".") ? "" : ".",
            diagnosis.cure());
  }
}
