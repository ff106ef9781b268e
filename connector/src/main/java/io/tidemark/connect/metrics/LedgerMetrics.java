package io.tidemark.connect.metrics;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.management.StandardMBean;

/** The MBean of one connector's ledger. Thread-safe. */
public final class LedgerMetrics implements LedgerMetricsMXBean, AutoCloseable {
  private final Supplier<Health> health;
  private final Clock clock;
  private final RegisteredBean bean;

  /**
   * The values of the attributes with these names.
   *
   * @param problem empty when nothing is wrong
   */
  public record Health(
      Map<String, Instant> through,
      Map<String, String> held,
      Map<String, Instant> newestCompletion,
      int pending,
      Optional<Instant> lastCycle,
      String problem) {}

  public LedgerMetrics(String connector, Supplier<Health> health, Clock clock) {
    this.health = health;
    this.clock = clock;
    this.bean =
        new RegisteredBean(
            new StandardMBean(this, LedgerMetricsMXBean.class, true),
            RegisteredBean.name("ledger-metrics", connector, ""));
  }

  /** Registers the MBean. A failure is logged, and the connector works without the MBean. */
  public void register() {
    bean.register();
  }

  @Override
  public void close() {
    bean.close();
  }

  @Override
  public Map<String, String> getCompleteThrough() {
    return each(health.get().through(), Instant::toString);
  }

  @Override
  public Map<String, Long> getCompleteThroughAgeMs() {
    return each(health.get().through(), this::ageMs);
  }

  @Override
  public Map<String, String> getHeldBecause() {
    return new TreeMap<>(health.get().held());
  }

  @Override
  public Map<String, String> getNewestCompletion() {
    return each(health.get().newestCompletion(), Instant::toString);
  }

  @Override
  public int getPendingSnapshots() {
    return health.get().pending();
  }

  @Override
  public long getLastCycleAgeMs() {
    return health.get().lastCycle().map(this::ageMs).orElse(-1L);
  }

  @Override
  public String getProblem() {
    return health.get().problem();
  }

  private long ageMs(Instant instant) {
    return Duration.between(instant, clock.instant()).toMillis();
  }

  private static <T> Map<String, T> each(
      Map<String, Instant> instants, Function<Instant, T> function) {
    Map<String, T> all = new TreeMap<>();
    instants.forEach((name, instant) -> all.put(name, function.apply(instant)));
    return all;
  }
}
