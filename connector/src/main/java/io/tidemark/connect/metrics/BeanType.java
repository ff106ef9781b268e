package io.tidemark.connect.metrics;

import io.tidemark.store.IndentedTexts;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.apache.kafka.common.utils.Sanitizer;

/**
 * A type of MBean, such as {@code task-metrics}, and its metrics, which {@code metrics.txt}
 * describes. docs/METRICS.md and the exporter's rules in {@code config/prometheus} follow from it.
 *
 * @param keys keys that follow the type in the MBean's name, in their order
 * @param <S> type of the object from which the metrics are read
 */
record BeanType<S>(String name, List<String> keys, List<Metric<S>> metrics) {
  /** The descriptions of types and metrics, by name. Example: {@code task-metrics.HeldMs}. */
  static final Map<String, Row> ROWS = rows();

  /** Separates what a metric measures from what an operator does when it changes. */
  static final String ACTION = " Action: ";

  /** What {@code metrics.txt} says about a type, or about a metric with its kind and unit. */
  record Row(String kind, String unit, String text) {

    /** Returns what is measured, as a sentence. */
    String meaning() {
      return text.split(ACTION, 2)[0];
    }
  }

  private static Map<String, Row> rows() {
    Map<String, Row> rows = new LinkedHashMap<>();
    IndentedTexts.read(BeanType.class, "metrics.txt")
        .forEach(
            (head, text) -> {
              List<String> cells = List.of(head.split(" \\| ", -1));
              String kind = cells.size() > 1 ? cells.get(1) : "";
              rows.put(cells.get(0), new Row(kind, cells.size() > 2 ? cells.get(2) : "", text));
            });
    return Collections.unmodifiableMap(rows);
  }

  Row row() {
    return Objects.requireNonNull(ROWS.get(name), name);
  }

  Row row(Metric<?> metric) {
    return Objects.requireNonNull(ROWS.get(name + "." + metric.name()), metric.name());
  }

  /** Returns the name of an MBean with these values of {@link #keys}. */
  ObjectName objectName(Object... values) {
    StringBuilder all = new StringBuilder("tidemark.connect:type=").append(name);
    for (int i = 0; i < keys.size(); i++) {
      all.append("," + keys.get(i) + "=" + Sanitizer.jmxSanitize(values[i].toString()));
    }
    try {
      return new ObjectName(all.toString());
    } catch (MalformedObjectNameException e) {
      throw new IllegalArgumentException(all.toString(), e);
    }
  }
}
