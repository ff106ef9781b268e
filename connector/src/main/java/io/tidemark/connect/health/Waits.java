package io.tidemark.connect.health;

import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What the parts of a task wait for now. Safe for use by many threads. */
public final class Waits {
  private final Map<Service, String> addresses;
  private final Clock wall;
  private final Map<Object, Wait> bySteps = new ConcurrentHashMap<>();

  /**
   * None wait yet.
   *
   * @param addresses of the services, as the configuration has them
   * @param wall says since when, for people
   */
  public Waits(Map<Service, String> addresses, Clock wall) {
    this.addresses = Map.copyOf(addresses);
    this.wall = wall;
  }

  /**
   * A step has failed, and will be tried again: since its first failure it waits.
   *
   * @param step tells it from others, by its identity
   * @param waiter the topic-partition or the topic whose step it is; empty for the task's
   */
  public void failed(Object step, String waiter, Throwable failure) {
    Diagnosis diagnosis = Diagnosis.of(failure);
    bySteps.compute(
        step,
        (same, before) ->
            new Wait(
                waiter,
                diagnosis.service(),
                addresses.getOrDefault(diagnosis.service(), ""),
                diagnosis.cause(),
                diagnosis.cure(),
                diagnosis.refused(),
                before != null && before.service() == diagnosis.service()
                    ? before.since()
                    : wall.instant()));
  }

  /** A step waits for a service to be changed by an operator. */
  public void refused(Object step, String waiter, Service service, String cause, String cure) {
    bySteps.putIfAbsent(
        step,
        new Wait(
            waiter,
            service,
            addresses.getOrDefault(service, ""),
            cause,
            cure,
            true,
            wall.instant()));
  }

  /** A step has succeeded, or is not wanted any more. */
  public void over(Object step) {
    bySteps.remove(step);
  }

  /** What is waited for. */
  public Collection<Wait> all() {
    return List.copyOf(bySteps.values());
  }
}
