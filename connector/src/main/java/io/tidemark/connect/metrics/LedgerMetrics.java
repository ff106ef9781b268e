package io.tidemark.connect.metrics;

import io.tidemark.completeness.reckon.ReckonerHealth;
import io.tidemark.connect.metrics.Metric.Unit;
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
import org.apache.kafka.common.utils.Sanitizer;

/**
 * The MBeans of one connector's ledger: one of the ledger, and one for each table and group that it
 * evaluates. Any thread may read the MBeans.
 */
public final class LedgerMetrics implements AutoCloseable {
  static final String TYPE = "ledger-metrics";
  static final String ABOUT =
      "The ledger of a connector, on the worker that runs the connector. Only with completeness.enabled=true.";

  static final List<Metric<LedgerMetrics>> ALL =
      List.of(
          Metric.gauge(
              "PendingSnapshots",
              Unit.SNAPSHOTS,
              "Snapshots that are not covered yet. A snapshot is covered when all records below "
                  + "its end offsets have landed, or are counted as dead letters, skipped or not "
                  + "delivered.",
              "If it grows, read HeldBecause of the tables.",
              of -> of.health.get().pending()),
          Metric.gauge(
              "LastCycleAgeMs",
              Unit.MILLISECONDS,
              "Time since completeness was last evaluated; -1 before the first time.",
              "If it grows for more than a minute, read Problem.",
              of -> of.ageMs(of.health.get().lastCycle())),
          Metric.gauge(
              "ProblemCode",
              Unit.STATE,
              "1 if completeness, announced batches or events have a problem, otherwise 0. Records"
                  + " land in both cases.",
              "At 1 read Problem.",
              of -> of.health.get().problem().isEmpty() ? 0 : 1),
          Metric.text(
              "Problem",
              "A problem of completeness, of announced batches or of events: place, problem, cause"
                  + " and what to do; empty if there is none.",
              "Do what it says.",
              of -> of.health.get().problem().orElse("")));

  static final String SUBJECT_TYPE = "completeness-metrics";
  static final String SUBJECT_ABOUT =
      "The completeness of a table (kind=table, name=default.orders) or of a group (kind=group, "
          + "name=sales), on the worker that runs the connector. If two topics would have the same "
          + "table name, the second topic has no table: it is shown with kind=topic.";

  static final List<Metric<Subject>> OF_SUBJECT =
      List.of(
          Metric.text(
              "CompleteThrough",
              "The time through which the table or group is complete, such as"
                  + " 2026-11-21T08:00:00Z; empty if it was never complete.",
              "",
              of -> text(of.through())),
          Metric.gauge(
              "CompleteThroughAgeMs",
              Unit.MILLISECONDS,
              "The present time minus CompleteThrough; -1 if the table or group was never complete.",
              "Normal values are up to the length of a Hive partition, plus"
                  + " completeness.lateness.ms, completeness.interval.ms and a batch. Above that,"
                  + " read HeldBecause.",
              of -> of.metrics().ageMs(of.through())),
          Metric.gauge(
              "HeldCode",
              Unit.STATE,
              "1 if HeldBecause has a reason, otherwise 0.",
              "A batch that is being filled is a reason, too: see CompleteThroughAgeMs.",
              of -> of.because().isEmpty() ? 0 : 1),
          Metric.text(
              "HeldBecause",
              "Why CompleteThrough is not later. docs/COMPLETENESS.md lists the reasons.",
              "See docs/COMPLETENESS.md, \"Why a table waits\".",
              Subject::because),
          Metric.text(
              "NewestCompletion",
              "When a Hive partition of the table was last recorded as complete by this worker;"
                  + " empty if none was, and for a group.",
              "",
              of ->
                  text(
                      Optional.ofNullable(
                          of.metrics().health.get().newestCompletion().get(of.name())))));

  private final String connector;
  private final Supplier<ReckonerHealth> health;
  private final Clock clock;
  private final MetricBean<LedgerMetrics> bean;

  /** Guarded by this object's monitor. */
  private final Map<String, MetricBean<Subject>> subjects = new HashMap<>();

  /** Guarded by this object's monitor. */
  private boolean closed;

  /** A table, a group, or a topic without a table. */
  record Subject(LedgerMetrics metrics, String name) {
    Optional<Instant> through() {
      return Optional.ofNullable(metrics.health.get().through().get(name));
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
    this.bean = new MetricBean<>(MetricBean.name(TYPE, connector, ""), ABOUT, ALL, this);
  }

  /** Registers the MBean of the ledger. A failure is logged; the connector works without it. */
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
    subjects
        .entrySet()
        .removeIf(
            each -> {
              boolean gone = !names.contains(each.getKey());
              if (gone) {
                each.getValue().close();
              }
              return gone;
            });
    names.forEach(name -> subjects.computeIfAbsent(name, this::registered));
  }

  private MetricBean<Subject> registered(String name) {
    MetricBean<Subject> added =
        new MetricBean<>(
            MetricBean.name(SUBJECT_TYPE, connector, keys(name)),
            SUBJECT_ABOUT,
            OF_SUBJECT,
            new Subject(this, name));
    added.register();
    return added;
  }

  /** Example: {@code ,kind=group,name=sales} for {@code group:sales}. */
  private static String keys(String name) {
    int colon = name.indexOf(':');
    return ",kind=%s,name=%s"
        .formatted(
            colon < 0 ? "table" : name.substring(0, colon),
            Sanitizer.jmxSanitize(name.substring(colon + 1)));
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
