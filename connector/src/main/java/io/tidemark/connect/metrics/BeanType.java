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
  private static final String ACTION = " Action: ";

  /** Returns all types, in the order of METRICS.md. */
  static List<BeanType<?>> all() {
    return List.of(
        TaskMetrics.TYPE,
        TopicPartitionMetrics.TYPE,
        ServiceMetrics.OF_REGISTRY,
        LedgerMetrics.OF_SUBJECT,
        LedgerMetrics.TYPE);
  }

  String description() {
    return TEXTS.getOrDefault(name, "");
  }

  /** Returns what a metric measures, as a sentence. */
  String description(Metric<?> metric) {
    return part(metric, 0);
  }

  /** Returns what an operator does when a metric changes; empty if it only explains others. */
  String action(Metric<?> metric) {
    return part(metric, 1);
  }

  private String part(Metric<?> metric, int number) {
    String[] parts = TEXTS.getOrDefault(name + "." + metric.name(), "").split(ACTION, 2);
    return number < parts.length ? parts[number] : "";
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
