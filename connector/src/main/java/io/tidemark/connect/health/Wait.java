package io.tidemark.connect.health;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * What somebody waits for.
 *
 * @param waiter the topic-partition or the topic that waits; empty for the task as a whole
 * @param service what it waits for
 * @param address of the service, as the configuration has it
 * @param cause what the service said, or that it said nothing
 * @param cure what to do
 * @param refusal why it does not pass by itself; empty where it does
 * @param since when it began, in whole seconds
 * @param latest when the service said so, in whole seconds
 * @param refusedFor from the first refusal to the latest
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
   * This one, with what the service has said last: a step that failed first may be done anew by
   * other steps, and then nothing tells it how the service answers them.
   *
   * @param other waits for the same service
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

  /** It does not pass by itself. */
  public boolean refused() {
    return refusal.isPresent();
  }

  /** The state of who waits so. */
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
