package io.tidemark.connect.metrics;

import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The declaration of one metric, which is an attribute of an MBean.
 *
 * @param name name of the attribute. Example: {@code PutNanos}
 * @param value reads the value; any thread may call it at any time, so it must not lock or wait
 * @param <S> type of the object from which the value is read
 */
record Metric<S>(String name, Unit unit, Kind kind, Function<? super S, Object> value) {

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

  /** The unit of a value. */
  enum Unit {
    NANOSECONDS,
    MILLISECONDS,
    BYTES,
    RECORDS,
    OFFSETS,
    BATCHES,
    FILES,
    CALLS,
    TRIES,
    TOPIC_PARTITIONS,
    PLANS,
    SCHEMAS,
    SNAPSHOTS,
    STATE,
    NONE;

    /** Example: {@code topic-partitions}. */
    @Override
    public String toString() {
      return this == NONE ? "" : name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  static <S> Metric<S> counter(String name, Unit unit, ToLongFunction<S> value) {
    return new Metric<>(name, unit, Kind.COUNTER, value::applyAsLong);
  }

  static <S> Metric<S> gauge(String name, Unit unit, ToLongFunction<S> value) {
    return new Metric<>(name, unit, Kind.GAUGE, value::applyAsLong);
  }

  static <S> Metric<S> text(String name, Function<S, String> value) {
    return new Metric<>(name, Unit.NONE, Kind.TEXT, value::apply);
  }

  /** A text that identifies something. Example: a version. */
  static <S> Metric<S> info(String name, Function<S, String> value) {
    return new Metric<>(name, Unit.NONE, Kind.INFO, value::apply);
  }

  boolean isText() {
    return kind == Kind.TEXT || kind == Kind.INFO;
  }
}
