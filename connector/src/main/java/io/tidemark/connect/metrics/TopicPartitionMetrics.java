package io.tidemark.connect.metrics;

import io.tidemark.connect.health.TopicPartitionProgress;
import io.tidemark.connect.metrics.Metric.Unit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Sanitizer;

/**
 * The MBeans of a task's topic-partitions, each from the time at which the task takes it until
 * another one does. Used by the task's thread.
 */
public final class TopicPartitionMetrics implements AutoCloseable {
  static final String TYPE = "topic-partition-metrics";
  static final String ABOUT =
      "One topic-partition of a task, since the task took it. Counts begin again with each owner.";

  static final List<Metric<TopicPartitionProgress>> ALL =
      List.of(
          Metric.text(
              "Health",
              "WORKING; WAITING for a service that does not answer; REFUSED by one until an operator"
                  + " changes something.",
              "See HeldBecause.",
              of -> of.state().name()),
          Metric.gauge(
              "HealthCode",
              Unit.STATE,
              "Health as a number: 0 is WORKING, 1 is WAITING, 2 is REFUSED.",
              "At 1 look at the service that HeldBecause names; at 2 do what it says.",
              of -> of.state().code()),
          Metric.text(
              "HeldBecause",
              "Which services the topic-partition waits for, since when, why, and what to do; empty"
                  + " when it waits for none.",
              "Do what it says.",
              TopicPartitionProgress::because),
          Metric.counter(
              "RecordsLanded",
              Unit.RECORDS,
              "Records of committed batches that are in a file of a table.",
              "When it stands still while LagRecords grows, look at HeldBecause.",
              of -> of.counts().landed()),
          Metric.counter(
              "RecordsDeadLettered",
              Unit.RECORDS,
              "Records of committed batches that are in the dead letter topic.",
              "Look at the reasons in the headers of the dead letters, and correct the producer.",
              of -> of.counts().deadLettered()),
          Metric.counter(
              "RecordsSkipped",
              Unit.RECORDS,
              "Records of committed batches that were left out: tombstones, by"
                  + " behavior.on.null.values.",
              "",
              of -> of.counts().skipped()),
          Metric.counter(
              "OffsetsNotDelivered",
              Unit.OFFSETS,
              "Offsets of committed batches that held no record for us: compacted, a transaction's"
                  + " marker, or dropped by a transform.",
              "",
              of -> of.counts().notDelivered()),
          Metric.counter(
              "OffsetsLost",
              Unit.OFFSETS,
              "Offsets of committed batches that Kafka no longer had when they were to be read.",
              "Raise the topic's retention: what they held is lost. docs/RELIABILITY.md says more.",
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
              "The bytes of those files, compressed.",
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
              "Batches that were given up before they were committed. Their records are read again.",
              "A few are normal at a rebalance. Many: look for failures in the worker's log.",
              TopicPartitionProgress::discardedBatches),
          Metric.counter(
              "OffsetsDiscarded",
              Unit.OFFSETS,
              "The offsets of those batches.",
              "",
              TopicPartitionProgress::discardedOffsets),
          Metric.gauge(
              "CommittedOffset",
              Unit.OFFSETS,
              "The first offset that is not committed; -1 before the log says one.",
              "",
              TopicPartitionProgress::committedOffset),
          Metric.gauge(
              "EndOffset",
              Unit.OFFSETS,
              "Where Kafka was last seen to end; asked every completeness.tail.interval.ms. -1"
                  + " before it was asked.",
              "",
              TopicPartitionProgress::endOffset),
          Metric.gauge(
              "LagRecords",
              Unit.OFFSETS,
              "Offsets from CommittedOffset to EndOffset. Markers of transactions count, too.",
              "When it grows for longer than a batch takes, add tasks, or look at HeldBecause.",
              TopicPartitionProgress::lagOffsets),
          Metric.gauge(
              "LagMs",
              Unit.MILLISECONDS,
              "For how long Kafka has had offsets that are not committed, as far as the task has"
                  + " seen it.",
              "Up to batch.interval.ms is normal. Beyond twice that, look at HeldBecause.",
              TopicPartitionProgress::lagMs),
          Metric.gauge(
              "LastCommitAgeMs",
              Unit.MILLISECONDS,
              "How long ago the last batch was committed; before the first, since the task took the"
                  + " topic-partition.",
              "It grows without harm while no records come. See LagMs.",
              TopicPartitionProgress::lastCommitAgeMs));

  private final String connector;
  private final int task;
  private final Map<TopicPartition, RegisteredBean> beans = new HashMap<>();

  /** None yet, of a task by its connector's name and its number. */
  public TopicPartitionMetrics(String connector, int task) {
    this.connector = connector;
    this.task = task;
  }

  /** The task has taken a topic-partition. */
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

  /** The task has it no more. */
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
