package io.tidemark.connect.metrics;

import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * One metric, declared once: from here come the attribute of the MBean with its description and
 * unit, the exporter's rule in {@code config/prometheus}, and the line in docs/METRICS.md.
 *
 * @param name of the attribute. Example: {@code PutNanos}
 * @param description what is counted, as a sentence
 * @param advice what to do when it moves; empty where it only explains others
 * @param value reads it; any thread may at any time, without a lock and without waiting
 * @param <S> what it is read from
 */
record Metric<S>(
    String name,
    Unit unit,
    Kind kind,
    String description,
    String advice,
    Function<? super S, Object> value) {

  /** How a value changes. */
  enum Kind {
    /** It only grows, until the task ends. */
    COUNTER,
    /** It rises and falls. */
    GAUGE,
    /** It is a text, and no number. */
    TEXT
  }

  /** What a value is counted in; Prometheus has seconds and bytes. */
  enum Unit {
    NANOSECONDS("Nanos", "seconds", "1.0E-9"),
    MILLISECONDS("Ms", "seconds", "0.001"),
    BYTES("Bytes", "bytes", ""),
    RECORDS("", "", ""),
    OFFSETS("", "", ""),
    BATCHES("", "", ""),
    FILES("", "", ""),
    CALLS("", "", ""),
    TRIES("", "", ""),
    TOPIC_PARTITIONS("", "", ""),
    PLANS("", "", ""),
    SCHEMAS("", "", ""),
    STATE("", "", ""),
    NONE("", "", "");

    private final String suffix;
    private final String ofPrometheus;
    private final String factor;

    Unit(String suffix, String ofPrometheus, String factor) {
      this.suffix = suffix;
      this.ofPrometheus = ofPrometheus;
      this.factor = factor;
    }

    /** What makes the value one of Prometheus's unit; empty where it is. */
    String factor() {
      return factor;
    }

    /** Example: {@code topic-partitions}. */
    @Override
    public String toString() {
      return this == NONE ? "" : name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  static <S> Metric<S> counter(
      String name, Unit unit, String description, String advice, ToLongFunction<S> value) {
    return new Metric<>(name, unit, Kind.COUNTER, description, advice, value::applyAsLong);
  }

  static <S> Metric<S> gauge(
      String name, Unit unit, String description, String advice, ToLongFunction<S> value) {
    return new Metric<>(name, unit, Kind.GAUGE, description, advice, value::applyAsLong);
  }

  static <S> Metric<S> text(
      String name, String description, String advice, Function<S, String> value) {
    return new Metric<>(name, Unit.NONE, Kind.TEXT, description, advice, value::apply);
  }

  /**
   * Its name in Prometheus. Example: {@code tidemark_task_put_seconds_total}.
   *
   * @param bean the first words. Example: {@code tidemark_task}
   */
  String prometheusName(String bean) {
    String bare = name.substring(0, name.length() - unit.suffix.length());
    StringBuilder all =
        new StringBuilder(bean)
            .append('_')
            .append(bare.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT));
    if (!unit.ofPrometheus.isEmpty()) {
      all.append('_').append(unit.ofPrometheus);
    }
    return kind == Kind.COUNTER ? all.append("_total").toString() : all.toString();
  }
}
