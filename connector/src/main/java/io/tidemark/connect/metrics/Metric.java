package io.tidemark.connect.metrics;

import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A metric: an attribute of an MBean. Its kind, unit and description are in {@code metrics.txt}.
 *
 * @param isText whether the value is a text; otherwise it is a {@code long}
 * @param value reads the value; any thread may call it at any time, so it must not lock or wait
 */
record Metric<S>(String name, boolean isText, Function<? super S, Object> value) {

  static <S> Metric<S> number(String name, ToLongFunction<S> value) {
    return new Metric<>(name, false, value::applyAsLong);
  }

  static <S> Metric<S> text(String name, Function<S, String> value) {
    return new Metric<>(name, true, value::apply);
  }
}
