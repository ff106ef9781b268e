package io.tidemark.connect.health;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * A wait of a task, a topic or a topic-partition for a service.
 *
 * @param waiter the topic-partition or the topic that waits; empty for the task as a whole
 * @param service the service that is unavailable or refuses calls
 * @param address the service's address in the configuration
 * @param cause the service's message, or a text that there is no response
 * @param cure what to do
 * @param refusal reason of a permanent failure; empty if the failure is transient
 * @param since start of the wait, in whole seconds
 * @param latest time of the service's last response or failure, in whole seconds
 * @param refusedFor time from the first refusal to the latest
 */
public record Wait(
    String waiter,
    Service service,
    String address,
    String cause,
    String cure,
    Optional<Refusal> refusal,
    Instant since,
    Instant latest,
    Duration refusedFor) {

  public Wait {
    since = since.truncatedTo(ChronoUnit.SECONDS);
    latest = latest.truncatedTo(ChronoUnit.SECONDS);
  }

  /**
   * Returns this wait with the cause and cure of another for the same service, if that is newer.
   * Another step may have retried the same call later.
   */
  Wait withNewerOf(Wait other) {
    if (other.refused() != refused() || !other.latest.isAfter(latest)) {
      return this;
    }
    return new Wait(
        waiter,
        service,
        address,
        other.cause,
        other.cure,
        other.refusal,
        since,
        other.latest,
        refusedFor);
  }

  /** Whether an operator must change something to end the wait. */
  public boolean refused() {
    return refusal.isPresent();
  }

  public HealthState state() {
    return refused() ? HealthState.REFUSED : HealthState.WAITING;
  }

  /** Example: {@code the store (store.url hdfs://nn:8020) since 2026-11-21T07:00:00Z: ... .}. */
  @Override
  public String toString() {
    return "%s (%s %s) since %s: %s%s %s"
        .formatted(
            service.inWords(),
            service.addressKey(),
            address,
            since,
            cause,
            cause.endsWith(".") ? "" : ".",
            cure);
  }
}
