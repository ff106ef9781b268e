package io.tidemark.benchmarks.landing;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The parameter that increases from point to point, while all others stay the same. */
enum GrowthCurve {
  /** The number of topic-partitions, of one task or, from 5,000 on, of four. */
  TOPIC_PARTITIONS("topic-partitions"),
  /** The number of topics, with a hundred topic-partitions in total. */
  TOPICS("topics, 100 topic-partitions in total"),
  /** The number of Hive partitions, in one topic-partition, so that a flush is one batch. */
  HIVE_PARTITIONS("Hive partitions per batch"),
  /** The bytes a record, with the same total of bytes, but at most twice the number of records. */
  RECORD_BYTES("bytes per record");

  private static final int OF_FOUR_TASKS = 5_000;

  private final String title;

  GrowthCurve(String title) {
    this.title = title;
  }

  /** Returns the curve with an option's value. Example: {@code topic-partitions}. */
  static GrowthCurve named(String name) {
    return Arrays.stream(values())
        .filter(curve -> curve.optionValue().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--growth %s: there are only %s"
                        .formatted(
                            name,
                            Arrays.stream(values())
                                .map(GrowthCurve::optionValue)
                                .collect(Collectors.joining(", ")))));
  }

  String optionValue() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  String title() {
    return title;
  }

  /** Returns whether the cost a byte should be constant, not the cost a record. */
  boolean isOfBytes(Workload workload) {
    return this == RECORD_BYTES && workload.recordBytes() >= 1_000;
  }

  /**
   * Returns the highest ratio of the CPU time of a record to that of a raw copy with as many files
   * of the same size. It is the project's goal.
   */
  double bound() {
    return this == HIVE_PARTITIONS ? 1.3 : 1.1;
  }

  /**
   * Returns the worker's usual heap in MiB: that of several tasks for points up to {@code most}.
   */
  int heapMegabytes(int most) {
    return this == TOPIC_PARTITIONS && most >= OF_FOUR_TASKS ? 2_048 : 1_024;
  }

  /** Returns the point of a workload on the curve. */
  int point(Workload workload) {
    return switch (this) {
      case TOPIC_PARTITIONS -> workload.topicPartitions();
      case TOPICS -> workload.topics();
      case HIVE_PARTITIONS -> workload.hivePartitions();
      case RECORD_BYTES -> workload.recordBytes();
    };
  }

  /** Returns the workloads of the points up to {@code most}. */
  List<Workload> workloads(Workload base, int most) {
    return points().stream()
        .filter(point -> point <= most)
        .map(point -> grown(base.named(name().toLowerCase(Locale.ROOT) + '_' + point), point))
        .toList();
  }

  private List<Integer> points() {
    return switch (this) {
      case TOPIC_PARTITIONS -> List.of(1, 10, 100, 1_000, OF_FOUR_TASKS);
      case TOPICS -> List.of(1, 10, 100);
      case HIVE_PARTITIONS -> List.of(1, 10, 100, 1_000, 5_000);
      case RECORD_BYTES -> List.of(50, 100, 500, 1_000, 10_000, 100_000);
    };
  }

  private Workload grown(Workload base, int point) {
    return switch (this) {
      case TOPIC_PARTITIONS ->
          base.ofTopicPartitions(point).ofTasks(point >= OF_FOUR_TASKS ? 4 : base.tasks());
      case TOPICS -> base.ofTopics(point).ofTopicPartitions(100 / point);
      case HIVE_PARTITIONS -> base.ofTopicPartitions(1).ofHivePartitions(point);
      case RECORD_BYTES ->
          base.ofRecordBytes(point)
              .ofRecords(Math.min(2 * base.records(), base.records() * 500 / point));
    };
  }
}
