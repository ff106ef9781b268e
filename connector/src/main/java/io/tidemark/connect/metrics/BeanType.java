package io.tidemark.connect.metrics;

import io.tidemark.store.IndentedTexts;
import java.util.List;
import java.util.Map;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.apache.kafka.common.utils.Sanitizer;

/**
 * A type of MBean, and its metrics. Their descriptions are in {@code metrics.txt}. docs/METRICS.md
 * and the exporter's rules in {@code config/prometheus} are derived from the types.
 *
 * @param name type of the MBean. Example: {@code task-metrics}
 * @param keys keys that follow the type in the MBean's name, in their order
 * @param <S> type of the object from which the metrics are read
 */
record BeanType<S>(String name, List<String> keys, List<Metric<S>> metrics) {
  static final Map<String, String> TEXTS = IndentedTexts.read(BeanType.class, "metrics.txt");

  /** Separates what a metric measures from what an operator does when it changes. */
  static final String ACTION = " Action: ";

  String description() {
    return TEXTS.getOrDefault(name, "");
  }

  /** Returns what a metric measures, as a sentence. */
  String description(Metric<?> metric) {
    return TEXTS.getOrDefault(name + "." + metric.name(), "").split(ACTION, 2)[0];
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
