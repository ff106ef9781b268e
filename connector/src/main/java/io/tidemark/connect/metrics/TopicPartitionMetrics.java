package io.tidemark.connect.metrics;

import io.tidemark.connect.health.TopicPartitionProgress;
import io.tidemark.connect.metrics.Metric.Unit;
import io.tidemark.store.TopicPartition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Sanitizer;

/**
 * The MBeans of a task's topic-partitions. Each exists from the assignment of its topic-partition
 * to this task until it is revoked. Called by the task's thread only.
 */
public final class TopicPartitionMetrics implements AutoCloseable {
  static final String TYPE = "topic-partition-metrics";
  static final String ABOUT =
      "One topic-partition of a task, since it was assigned to the task. Counters restart at 0 when it moves to another task.";

  static final List<Metric<TopicPartitionProgress>> ALL =
      List.of(
          Metric.text(
              "Health",
              "WORKING; WAITING: a service does not respond, and the task retries; REFUSED: a "
                  + "service refuses the task, or a table refuses its records, until an operator "
                  + "acts.",
              "Read HeldBecause.",
              of -> of.state().name()),
          Metric.gauge(
              "HealthCode",
              Unit.STATE,
              "Health as a number: 0 is WORKING, 1 is WAITING, 2 is REFUSED.",
              "At 1 check the service that HeldBecause names; at 2 do what HeldBecause says.",
              of -> of.state().code()),
          Metric.text(
              "HeldBecause",
              "Why the topic-partition is WAITING or REFUSED: for each service the start of the "
                  + "wait, the cause, and what to do. Empty if it is WORKING.",
              "Do what it says.",
              TopicPartitionProgress::because),
          Metric.counter(
              "RecordsLanded",
              Unit.RECORDS,
              "Records of committed batches that are in a file of a table.",
              "If it stays the same while LagRecords grows, read HeldBecause.",
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
              "Records of committed batches that behavior.on.null.values=ignore skipped. Offsets "
                  + "that an operator skips are not counted here.",
              "",
              of -> of.counts().skipped()),
          Metric.counter(
              "OffsetsNotDelivered",
              Unit.OFFSETS,
              "Offsets of committed batches without a record for the connector: of transaction "
                  + "markers, of compacted records, and of records that a transform dropped.",
              "",
              of -> of.counts().notDelivered()),
          Metric.counter(
              "OffsetsLost",
              Unit.OFFSETS,
              "Offsets of committed batches that Kafka's retention had deleted before they were "
                  + "read.",
              "Raise the topic's retention: the records of these offsets are lost. See "
                  + "docs/RELIABILITY.md, Classes of offsets.",
              of -> of.counts().lost()),
          Metric.counter(
              "FilesLanded",
              Unit.FILES,
              "Files of committed batches.",
              "Many small files: raise batch.records and batch.interval.ms.",
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
              "Batches that were discarded before they were committed. Their records are read again.",
              "A few are normal at a rebalance. If there are many, look for failures in the worker's log.",
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
              "The log's next offset, which is the offset after the last committed one; -1 until "
                  + "the log has an entry.",
              "",
              TopicPartitionProgress::committedOffset),
          Metric.gauge(
              "EndOffset",
              Unit.OFFSETS,
              "Kafka's end offset at the last check, every completeness.tail.interval.ms; -1 before"
                  + " the first check.",
              "",
              TopicPartitionProgress::endOffset),
          Metric.gauge(
              "LagRecords",
              Unit.OFFSETS,
              "Offsets from CommittedOffset to EndOffset. Transaction markers count, too.",
              "If it grows for longer than a batch takes, add tasks, or read HeldBecause.",
              TopicPartitionProgress::lagOffsets),
          Metric.gauge(
              "LagMs",
              Unit.MILLISECONDS,
              "Age of the oldest offset that is not committed, estimated from the checks of"
                  + " EndOffset.",
              "Up to batch.interval.ms is normal. Beyond twice that time, read HeldBecause.",
              TopicPartitionProgress::lagMs),
          Metric.gauge(
              "LastCommitAgeMs",
              Unit.MILLISECONDS,
              "Time since the last batch was committed; before the first batch, since the"
                  + " topic-partition was assigned to the task.",
              "It grows without harm while no records arrive. See LagMs.",
              TopicPartitionProgress::lastCommitAgeMs));

  private final String connector;
  private final int task;
  private final Map<TopicPartition, MetricBean<TopicPartitionProgress>> beans = new HashMap<>();

  /**
   * Creates an object without MBeans. The names of MBeans contain the connector's name and the
   * task's number.
   */
  public TopicPartitionMetrics(String connector, int task) {
    this.connector = connector;
    this.task = task;
  }

  /** Registers the MBean of a topic-partition that was assigned to the task. */
  public void take(TopicPartition topicPartition, TopicPartitionProgress progress) {
    leave(topicPartition);
    MetricBean<TopicPartitionProgress> bean =
        new MetricBean<>(
            MetricBean.name(
                TYPE,
                connector,
                ",task=%d,topic=%s,partition=%d"
                    .formatted(
                        task,
                        Sanitizer.jmxSanitize(topicPartition.topic()),
                        topicPartition.partition())),
            ABOUT,
            ALL,
            progress);
    beans.put(topicPartition, bean);
    bean.register();
  }

  /** Removes the MBean of a topic-partition that was revoked from the task. */
  public void leave(TopicPartition topicPartition) {
    MetricBean<TopicPartitionProgress> bean = beans.remove(topicPartition);
    if (bean != null) {
      bean.close();
    }
  }

  @Override
  public void close() {
    beans.values().forEach(MetricBean::close);
    beans.clear();
  }
}
