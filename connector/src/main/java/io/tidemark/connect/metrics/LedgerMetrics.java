package io.tidemark.connect.metrics;

import io.tidemark.completeness.reckon.ReckonerHealth;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The MBeans of one connector's ledger: one of the ledger, and one for each table and group that it
 * evaluates. Any thread may read the MBeans.
 */
public final class LedgerMetrics implements AutoCloseable {
  static final BeanType<LedgerMetrics> TYPE =
      new BeanType<LedgerMetrics>(
          "ledger-metrics",
          List.of("connector"),
          List.of(
              Metric.number("PendingSnapshots", of -> of.health.get().pending()),
              Metric.number("LastCycleAgeMs", of -> of.ageMs(of.health.get().lastCycle())),
              Metric.number("ProblemCode", of -> of.health.get().problem().isEmpty() ? 0 : 1),
              Metric.text("Problem", of -> of.health.get().problem().orElse(""))));

  static final BeanType<Subject> OF_SUBJECT =
      new BeanType<Subject>(
          "completeness-metrics",
          List.of("connector", "kind", "name"),
          List.of(
              Metric.text("CompleteThrough", of -> text(of.through())),
              Metric.number("CompleteThroughAgeMs", of -> of.metrics().ageMs(of.through())),
              Metric.number("HeldCode", of -> of.because().isEmpty() ? 0 : 1),
              Metric.text("HeldBecause", Subject::because),
              Metric.text("NewestCompletion", of -> text(of.newestCompletion()))));

  private final String connector;
  private final Supplier<ReckonerHealth> health;
  private final Clock clock;
  private final MetricBean<LedgerMetrics> bean;

  // Guarded by this.
  private final Map<String, MetricBean<Subject>> subjects = new HashMap<>();
  private boolean closed;

  /** A table, a group, or a topic without a table. */
  record Subject(LedgerMetrics metrics, String name) {
    Optional<Instant> through() {
      return Optional.ofNullable(metrics.health.get().through().get(name));
    }

    Optional<Instant> newestCompletion() {
      return Optional.ofNullable(metrics.health.get().newestCompletion().get(name));
    }

    String because() {
      return metrics.health.get().held().getOrDefault(name, "");
    }
  }

  /** Creates an object without MBeans. {@code health} must neither lock nor wait. */
  public LedgerMetrics(String connector, Supplier<ReckonerHealth> health, Clock clock) {
    this.connector = connector;
    this.health = health;
    this.clock = clock;
    this.bean = new MetricBean<>(TYPE, this, connector);
  }

  public void register() {
    bean.register();
  }

  /** Adds the MBeans of new tables and groups, and removes those of tables that are gone. */
  public synchronized void update(ReckonerHealth now) {
    if (closed) {
      return;
    }
    Set<String> names = new HashSet<>(now.through().keySet());
    names.addAll(now.held().keySet());
    subjects.forEach(
        (name, bean) -> {
          if (!names.contains(name)) {
            bean.close();
          }
        });
    subjects.keySet().retainAll(names);
    names.forEach(name -> subjects.computeIfAbsent(name, this::registered));
  }

  /** The MBean of {@code group:sales} has the keys {@code kind=group,name=sales}. */
  private MetricBean<Subject> registered(String name) {
    int colon = name.indexOf(':');
    String kind = colon < 0 ? "table" : name.substring(0, colon);
    MetricBean<Subject> added =
        new MetricBean<>(
            OF_SUBJECT, new Subject(this, name), connector, kind, name.substring(colon + 1));
    added.register();
    return added;
  }

  @Override
  public synchronized void close() {
    closed = true;
    bean.close();
    subjects.values().forEach(MetricBean::close);
    subjects.clear();
  }

  private long ageMs(Optional<Instant> instant) {
    return instant.map(time -> Duration.between(time, clock.instant()).toMillis()).orElse(-1L);
  }

  private static String text(Optional<Instant> instant) {
    return instant.map(Instant::toString).orElse("");
  }
}
