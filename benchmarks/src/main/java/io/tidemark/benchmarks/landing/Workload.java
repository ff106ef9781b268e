package io.tidemark.benchmarks.landing;

import java.util.List;
import java.util.stream.IntStream;

/**
 * What lies in Kafka for the sinks, and how they are to read it.
 *
 * @param name of the topic, or what the names of several begin with
 * @param records over all topics
 * @param topicPartitions of each topic
 * @param hivePartitions how many Hive partitions the records of a topic-partition touch, one after
 *     the other and again; 0 for the hours of a trading day, which follow each other once
 * @param recordBytes about how many bytes a record has, or 0 for stock quotes of 78 fields
 * @param tasks how many tasks a sink may have
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

  /** How the records of a topic differ from each other. */
  enum Kind {
    /** All have one schema. */
    PLAIN,
    /** Every second one has a newer schema. */
    ROLLING,
    /** Record types with names of their own, in turn. */
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

  /** Stock quotes of one trading day in one topic, for one task. */
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

  /** The topics. Example: {@code quotes}, or {@code quotes_1} to {@code quotes_10}. */
  List<String> topicNames() {
    return topics == 1
        ? List.of(name)
        : IntStream.rangeClosed(1, topics).mapToObj(number -> name + '_' + number).toList();
  }

  int allTopicPartitions() {
    return topics * topicPartitions;
  }
}
