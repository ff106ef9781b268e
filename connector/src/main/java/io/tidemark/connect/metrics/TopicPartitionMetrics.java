package io.tidemark.connect.metrics;

import io.tidemark.connect.health.TopicPartitionProgress;
import io.tidemark.connect.metrics.Metric.Unit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Sanitizer;

/**
 * The MBeans of a task's topic-partitions. An MBean exists while its topic-partition is assigned to
 * the task. Used by the task's thread.
 */
public final class TopicPartitionMetrics implements AutoCloseable {
  static final String TYPE = "topic-partition-metrics";
  static final String ABOUT =
      "One topic-partition of a task, since it was assigned to the task. Counters start at 0 with"
          + " each assignment.";

  static final List<Metric<TopicPartitionProgress>> ALL =
      List.of(
          Metric.text(
              "Health",
              "WORKING; WAITING for a service that does not answer; REFUSED by a service until an"
                  + " operator changes something.",
              "See HeldBecause.",
              of -> of.state().name()),
          Metric.gauge(
              "HealthCode",
              Unit.STATE,
              "Health as a number: 0 is WORKING, 1 is WAITING, 2 is REFUSED.",
              "At 1, check the service that HeldBecause names. At 2, apply the cure in HeldBecause.",
              of -> of.state().code()),
          Metric.text(
              "HeldBecause",
              "Each service that the topic-partition waits for, with the start of the wait, the"
                  + " cause and the cure; empty when it waits for none.",
              "Apply the cure that it contains.",
              TopicPartitionProgress::because),
          Metric.counter(
              "RecordsLanded",
              Unit.RECORDS,
              "Records of committed batches that are in a file of a table.",
              "When it does not grow while LagRecords grows, read HeldBecause.",
              of -> of.counts().landed()),
          Metric.counter(
              "RecordsDeadLettered",
              Unit.RECORDS,
              "Records of committed batches that are in the dead letter topic.",
              "Read the reasons in the headers of the dead letters, and correct the producer.",
              of -> of.counts().deadLettered()),
          Metric.counter(
              "RecordsSkipped",
              Unit.RECORDS,
              "Records of committed batches that were skipped: tombstones, by"
                  + " behavior.on.null.values.",
              "",
              of -> of.counts().skipped()),
          Metric.counter(
              "OffsetsNotDelivered",
              Unit.OFFSETS,
              "Offsets of committed batches that were not delivered to the task as a record:"
                  + " compacted, a transaction's marker, or dropped by a transform.",
              "",
              of -> of.counts().notDelivered()),
          Metric.counter(
              "OffsetsLost",
              Unit.OFFSETS,
              "Offsets of committed batches that Kafka had deleted before the task read them.",
              "Raise the topic's retention. Records at these offsets are lost: see"
                  + " docs/RELIABILITY.md.",
              of -> of.counts().lost()),
          Metric.counter(
              "FilesLanded",
              Unit.FILES,
              "Files of committed batches.",
              "If there are many small files, raise batch.records and batch.interval.ms.",
              TopicPartitionProgress::files),
          Metric.counter(
              "LandedBytes",
              Unit.BYTES,
              "Bytes of the files of committed batches, compressed.",
              "",
              TopicPartitionProgress::bytes),
          Metric.counter(
              "BatchesCommitted",
              Unit.BATCHES,
              "Batches that are in the commit log.",
              "",
              TopicPartitionProgress::batches),
          Metric.counter(
              "BatchesDiscarded",
              Unit.BATCHES,
              "Batches that were discarded before they were committed. Their records are read"
                  + " again.",
              "A few are normal at a rebalance. If there are many, look for failures in the"
                  + " worker's log.",
              TopicPartitionProgress::discardedBatches),
          Metric.counter(
              "OffsetsDiscarded",
              Unit.OFFSETS,
              "Offsets of the discarded batches.",
              "",
              TopicPartitionProgress::discardedOffsets),
          Metric.gauge(
              "CommittedOffset",
              Unit.OFFSETS,
              "The first offset that is not committed; -1 until the commit log has one.",
              "",
              TopicPartitionProgress::committedOffset),
          Metric.gauge(
              "EndOffset",
              Unit.OFFSETS,
              "Kafka's end offset when the task last requested it, every"
                  + " completeness.tail.interval.ms; -1 before the first request.",
              "",
              TopicPartitionProgress::endOffset),
          Metric.gauge(
              "LagRecords",
              Unit.OFFSETS,
              "Offsets from CommittedOffset to EndOffset, transactions' markers included.",
              "When it grows for longer than a batch takes, add tasks, or read HeldBecause.",
              TopicPartitionProgress::lagOffsets),
          Metric.gauge(
              "LagMs",
              Unit.MILLISECONDS,
              "Time for which Kafka has had offsets that are not committed, as far as the task has"
                  + " seen EndOffset.",
              "Up to batch.interval.ms is normal. Beyond twice that, read HeldBecause.",
              TopicPartitionProgress::lagMs),
          Metric.gauge(
              "LastCommitAgeMs",
              Unit.MILLISECONDS,
              "Time since the last batch was committed; before the first one, since the"
                  + " topic-partition was assigned to the task.",
              "It grows without harm while no records arrive. See LagMs.",
              TopicPartitionProgress::lastCommitAgeMs));

  private final String connector;
  private final int task;
  private final Map<TopicPartition, RegisteredBean> beans = new HashMap<>();

  /**
   * Creates an empty set of MBeans for a task, which is named by its connector's name and its
   * number.
   */
  public TopicPartitionMetrics(String connector, int task) {
    this.connector = connector;
    this.task = task;
  }

  /** Registers the MBean of a topic-partition that was assigned to the task. */
  public void take(TopicPartition topicPartition, TopicPartitionProgress progress) {
    leave(topicPartition);
    RegisteredBean bean =
        new RegisteredBean(
            new MetricBean<>(ABOUT, ALL, progress),
            RegisteredBean.name(
                TYPE,
                connector,
                ",task=%d,topic=%s,partition=%d"
                    .formatted(
                        task,
                        Sanitizer.jmxSanitize(topicPartition.topic()),
                        topicPartition.partition())));
    beans.put(topicPartition, bean);
    bean.register();
  }

  /** Removes the MBean of a topic-partition that is no longer assigned to the task. */
  public void leave(TopicPartition topicPartition) {
    RegisteredBean bean = beans.remove(topicPartition);
    if (bean != null) {
      bean.close();
    }
  }

  @Override
  public void close() {
    beans.values().forEach(RegisteredBean::close);
    beans.clear();
  }
}
