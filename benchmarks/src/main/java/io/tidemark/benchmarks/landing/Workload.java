package io.tidemark.benchmarks.landing;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The records in Kafka for the sinks, and the number of tasks that read them.
 *
 * @param name the name of the topic, or the prefix of the names of several
 * @param records the number of records in all topics
 * @param topicPartitions the number of topic-partitions of each topic
 * @param hivePartitions the number of Hive partitions of a topic-partition's records, in turn and
 *     repeatedly; 0 for the hours of a trading day, once in order
 * @param recordBytes the approximate bytes of a record, or 0 for stock quotes of 78 fields
 * @param tasks the number of tasks of a sink
 */
record Workload(
    String name,
    Kind kind,
    long records,
    int topics,
    int topicPartitions,
    int hivePartitions,
    int recordBytes,
    int tasks) {

  static final int USUAL_TOPIC_PARTITIONS = 4;

  /** The differences between the records of a topic. */
  enum Kind {
    /** All records have one schema. */
    PLAIN,
    /** Every second record has a newer schema. */
    ROLLING,
    /** Record types with different names, in turn. */
    RECORD_TYPES,
    /** One schema, and a field with one of a few values, in turn. */
    FIELD_VALUES
  }

  Workload {
    if (records < 1 || topics < 1 || topicPartitions < 1 || tasks < 1) {
      throw new IllegalArgumentException(
          "%d records, %d topics, %d topic-partitions, %d tasks: at least 1 of each is needed"
              .formatted(records, topics, topicPartitions, tasks));
    }
    if (hivePartitions < 0 || recordBytes < 0) {
      throw new IllegalArgumentException(
          "%d Hive partitions, %d bytes a record: none can be below 0"
              .formatted(hivePartitions, recordBytes));
    }
    if (recordBytes > 0 && kind != Kind.PLAIN) {
      throw new IllegalArgumentException(
          "records of a given size have one schema: leave out --record-bytes, or --rolling and"
              + " --routed");
    }
  }

  /** Returns stock quotes of one trading day in one topic, for one task. */
  static Workload quotes(Kind kind, long records) {
    return new Workload("quotes", kind, records, 1, USUAL_TOPIC_PARTITIONS, 0, 0, 1);
  }

  Workload named(String newName) {
    return new Workload(
        newName, kind, records, topics, topicPartitions, hivePartitions, recordBytes, tasks);
  }

  Workload ofKind(Kind other) {
    return new Workload(
        name, other, records, topics, topicPartitions, hivePartitions, recordBytes, tasks);
  }

  Workload ofRecords(long count) {
    return new Workload(
        name, kind, count, topics, topicPartitions, hivePartitions, recordBytes, tasks);
  }

  Workload ofTopics(int count) {
    return new Workload(
        name, kind, records, count, topicPartitions, hivePartitions, recordBytes, tasks);
  }

  Workload ofTopicPartitions(int count) {
    return new Workload(name, kind, records, topics, count, hivePartitions, recordBytes, tasks);
  }

  Workload ofHivePartitions(int count) {
    return new Workload(name, kind, records, topics, topicPartitions, count, recordBytes, tasks);
  }

  Workload ofRecordBytes(int bytes) {
    return new Workload(name, kind, records, topics, topicPartitions, hivePartitions, bytes, tasks);
  }

  Workload ofTasks(int count) {
    return new Workload(
        name, kind, records, topics, topicPartitions, hivePartitions, recordBytes, count);
  }

  /**
   * Returns the names of the topics. Example: {@code quotes}, or {@code quotes_1} to {@code
   * quotes_10}.
   */
  List<String> topicNames() {
    return topics == 1
        ? List.of(name)
        : IntStream.rangeClosed(1, topics).mapToObj(number -> name + '_' + number).toList();
  }

  int allTopicPartitions() {
    return topics * topicPartitions;
  }
}
