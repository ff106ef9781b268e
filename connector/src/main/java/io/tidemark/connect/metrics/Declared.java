package io.tidemark.connect.metrics;

import java.util.List;
import java.util.stream.Stream;

/**
 * All declared metrics, by the type of MBean that has them.
 *
 * @param type of the MBean. Example: {@code task-metrics}
 * @param about the MBean as a whole
 * @param keys of its name behind the type, in their order
 */
record Declared(String type, String about, List<String> keys, List<? extends Metric<?>> metrics) {

  static final List<Declared> BEANS =
      List.of(
          new Declared(
              TaskMetrics.TYPE, TaskMetrics.ABOUT, List.of("connector", "task"), TaskMetrics.ALL),
          new Declared(
              TopicPartitionMetrics.TYPE,
              TopicPartitionMetrics.ABOUT,
              List.of("connector", "task", "topic", "partition"),
              TopicPartitionMetrics.ALL),
          new Declared(
              ServiceMetrics.TYPE,
              ServiceMetrics.ABOUT,
              List.of("connector", "task", "service"),
              Stream.of(ServiceMetrics.ALL, ServiceMetrics.OF_REGISTRY)
                  .flatMap(List::stream)
                  .toList()));

  /** What its metrics' names begin with in Prometheus. Example: {@code tidemark_task}. */
  String prometheusPrefix() {
    return "tidemark_" + type.replace("-metrics", "").replace('-', '_');
  }
}
