package io.tidemark.connect.metrics;

import io.tidemark.connect.metrics.Metric.Kind;
import io.tidemark.connect.metrics.Metric.Unit;
import java.util.List;
import java.util.Locale;

/** Metrics as the exporter's rules give them to Prometheus: times in seconds, sizes in bytes. */
final class Exported {
  private Exported() {}

  /** Returns all types of MBeans, in the order of METRICS.md. */
  static List<BeanType<?>> types() {
    return List.of(
        TaskMetrics.TYPE,
        TopicPartitionMetrics.TYPE,
        ServiceMetrics.OF_REGISTRY,
        LedgerMetrics.OF_SUBJECT,
        LedgerMetrics.TYPE);
  }

  /** Returns a metric's name. Example: {@code tidemark_task_put_seconds_total}. */
  static String name(BeanType<?> bean, Metric<?> metric) {
    String prefix = "tidemark_" + bean.name().replace("-metrics", "").replace('-', '_');
    String words =
        metric
            .name()
            .replaceFirst(suffix(metric.unit()) + "$", "")
            .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
            .toLowerCase(Locale.ROOT);
    return prefix
        + "_"
        + words
        + unit(metric.unit())
        + (metric.kind() == Kind.COUNTER ? "_total" : "");
  }

  private static String suffix(Unit unit) {
    return switch (unit) {
      case NANOSECONDS -> "Nanos";
      case MILLISECONDS -> "Ms";
      case BYTES -> "Bytes";
      default -> "";
    };
  }

  private static String unit(Unit unit) {
    return switch (unit) {
      case NANOSECONDS, MILLISECONDS -> "_seconds";
      case BYTES -> "_bytes";
      default -> "";
    };
  }

  /**
   * Returns the factor that converts a value to Prometheus's unit; empty if the units are equal.
   */
  static String factor(Unit unit) {
    return switch (unit) {
      case NANOSECONDS -> "1.0E-9";
      case MILLISECONDS -> "0.001";
      default -> "";
    };
  }
}
