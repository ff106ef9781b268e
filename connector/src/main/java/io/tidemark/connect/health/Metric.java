package io.tidemark.connect.health;

import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The declaration of one metric. The MBean's attribute with its description and unit, the
 * exporter's rule in {@code config/prometheus}, and the row in docs/METRICS.md are derived from it.
 *
 * @param name name of the attribute. Example: {@code PutNanos}
 * @param description what is measured, as a sentence
 * @param advice what an operator does when the value changes; empty if it only explains other
 *     metrics
 * @param value reads the value; any thread may call this function at any time, so it must neither
 *     lock nor wait
 * @param <S> type of the object from which the value is read
 */
record Metric<S>(
    String name,
    Unit unit,
    Kind kind,
    String description,
    String advice,
    Function<? super S, Object> value) {

  /** The way in which a value changes. */
  enum Kind {
    /** A number that only grows, until the task ends. */
    COUNTER,
    /** A number that rises and falls. */
    GAUGE,
    /** A text, which is not exported. */
    TEXT,
    /** A text that is exported as a label of the value 1. */
    INFO
  }

  /** The unit of a value. In Prometheus, times are in seconds and sizes in bytes. */
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
    SNAPSHOTS("", "", ""),
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

    /**
     * Returns the factor that converts a value to Prometheus's unit; empty if the units are equal.
     */
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

  /** A text that identifies something. Example: a version. */
  static <S> Metric<S> info(
      String name, String description, String advice, Function<S, String> value) {
    return new Metric<>(name, Unit.NONE, Kind.INFO, description, advice, value::apply);
  }

  /** Whether the value is a text. */
  boolean isText() {
    return kind == Kind.TEXT || kind == Kind.INFO;
  }

  /**
   * Returns the metric's name in Prometheus. Example: {@code tidemark_task_put_seconds_total}.
   *
   * @param bean prefix of the name. Example: {@code tidemark_task}
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
