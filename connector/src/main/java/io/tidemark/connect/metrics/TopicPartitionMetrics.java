package io.tidemark.connect.metrics;

import io.tidemark.connect.health.TopicPartitionProgress;
import io.tidemark.connect.metrics.Metric.Unit;
import io.tidemark.store.TopicPartition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The MBeans of a task's topic-partitions. Each exists from the assignment of its topic-partition
 * to this task until it is revoked. Called by the task's thread only.
 */
public final class TopicPartitionMetrics implements AutoCloseable {
  static final BeanType<TopicPartitionProgress> TYPE =
      new BeanType<TopicPartitionProgress>(
          "topic-partition-metrics",
          List.of("connector", "task", "topic", "partition"),
          List.of(
              Metric.text("Health", of -> of.state().name()),
              Metric.gauge("HealthCode", Unit.STATE, of -> of.state().code()),
              Metric.text("HeldBecause", TopicPartitionProgress::because),
              Metric.counter("RecordsLanded", Unit.RECORDS, of -> of.counts().landed()),
              Metric.counter("RecordsDeadLettered", Unit.RECORDS, of -> of.counts().deadLettered()),
              Metric.counter("RecordsSkipped", Unit.RECORDS, of -> of.counts().skipped()),
              Metric.counter("OffsetsNotDelivered", Unit.OFFSETS, of -> of.counts().notDelivered()),
              Metric.counter("OffsetsLost", Unit.OFFSETS, of -> of.counts().lost()),
              Metric.counter("FilesLanded", Unit.FILES, TopicPartitionProgress::files),
              Metric.counter("LandedBytes", Unit.BYTES, TopicPartitionProgress::bytes),
              Metric.counter("BatchesCommitted", Unit.BATCHES, TopicPartitionProgress::batches),
              Metric.counter(
                  "BatchesDiscarded", Unit.BATCHES, TopicPartitionProgress::discardedBatches),
              Metric.counter(
                  "OffsetsDiscarded", Unit.OFFSETS, TopicPartitionProgress::discardedOffsets),
              Metric.gauge(
                  "CommittedOffset", Unit.OFFSETS, TopicPartitionProgress::committedOffset),
              Metric.gauge("EndOffset", Unit.OFFSETS, TopicPartitionProgress::endOffset),
              Metric.gauge("LagRecords", Unit.OFFSETS, TopicPartitionProgress::lagOffsets),
              Metric.gauge("LagMs", Unit.MILLISECONDS, TopicPartitionProgress::lagMs),
              Metric.gauge(
                  "LastCommitAgeMs", Unit.MILLISECONDS, TopicPartitionProgress::lastCommitAgeMs)));

  private final String connector;
  private final int task;
  private final Map<TopicPartition, MetricBean<TopicPartitionProgress>> beans = new HashMap<>();

  public TopicPartitionMetrics(String connector, int task) {
    this.connector = connector;
    this.task = task;
  }

  /** Registers the MBean of a topic-partition that was assigned to the task. */
  public void take(TopicPartition topicPartition, TopicPartitionProgress progress) {
    leave(topicPartition);
    MetricBean<TopicPartitionProgress> bean =
        new MetricBean<>(
            TYPE, progress, connector, task, topicPartition.topic(), topicPartition.partition());
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
