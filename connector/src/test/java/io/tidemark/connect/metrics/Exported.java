package io.tidemark.connect.metrics;

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
    BeanType.Row row = bean.row(metric);
    String prefix = "tidemark_" + bean.name().replace("-metrics", "").replace('-', '_');
    String words =
        metric
            .name()
            .replaceFirst(suffix(row.unit()) + "$", "")
            .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
            .toLowerCase(Locale.ROOT);
    return prefix + "_" + words + unit(row.unit()) + (row.kind().equals("counter") ? "_total" : "");
  }

  private static String suffix(String unit) {
    return switch (unit) {
      case "nanoseconds" -> "Nanos";
      case "milliseconds" -> "Ms";
      case "bytes" -> "Bytes";
      default -> "";
    };
  }

  private static String unit(String unit) {
    return switch (unit) {
      case "nanoseconds", "milliseconds" -> "_seconds";
      case "bytes" -> "_bytes";
      default -> "";
    };
  }

  /**
   * Returns the factor that converts a value to Prometheus's unit; empty if the units are equal.
   */
  static String factor(String unit) {
    return switch (unit) {
      case "nanoseconds" -> "1.0E-9";
      case "milliseconds" -> "0.001";
      default -> "";
    };
  }
}
