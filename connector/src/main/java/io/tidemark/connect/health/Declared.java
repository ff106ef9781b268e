package io.tidemark.connect.health;

import java.util.List;
import java.util.stream.Stream;

/**
 * One type of MBean with its declared metrics. {@link #BEANS} contains all types.
 *
 * @param type type of the MBean. Example: {@code task-metrics}
 * @param about description of the MBean
 * @param keys keys that follow the type in the MBean's name, in their order
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
                  .toList()),
          new Declared(
              LedgerMetrics.SUBJECT_TYPE,
              LedgerMetrics.SUBJECT_ABOUT,
              List.of("connector", "kind", "name"),
              LedgerMetrics.OF_SUBJECT),
          new Declared(
              LedgerMetrics.TYPE, LedgerMetrics.ABOUT, List.of("connector"), LedgerMetrics.ALL));

  /** Returns the prefix of the metrics' names in Prometheus. Example: {@code tidemark_task}. */
  String prometheusPrefix() {
    return "tidemark_" + type.replace("-metrics", "").replace('-', '_');
  }
}
