package io.tidemark.connect.metrics;

import io.tidemark.connect.health.TopicPartitionProgress;
import io.tidemark.store.TopicPartition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The MBeans of a task's assigned topic-partitions. Called by the task's thread only. */
public final class TopicPartitionMetrics implements AutoCloseable {
  static final BeanType<TopicPartitionProgress> TYPE =
      new BeanType<TopicPartitionProgress>(
          "topic-partition-metrics",
          List.of("connector", "task", "topic", "partition"),
          List.of(
              Metric.text("Health", of -> of.state().name()),
              Metric.number("HealthCode", of -> of.state().code()),
              Metric.text("HeldBecause", TopicPartitionProgress::because),
              Metric.number("RecordsLanded", of -> of.counts().landed()),
              Metric.number("RecordsDeadLettered", of -> of.counts().deadLettered()),
              Metric.number("RecordsSkipped", of -> of.counts().skipped()),
              Metric.number("OffsetsNotDelivered", of -> of.counts().notDelivered()),
              Metric.number("OffsetsLost", of -> of.counts().lost()),
              Metric.number("FilesLanded", TopicPartitionProgress::files),
              Metric.number("LandedBytes", TopicPartitionProgress::bytes),
              Metric.number("BatchesCommitted", TopicPartitionProgress::batches),
              Metric.number("BatchesDiscarded", TopicPartitionProgress::discardedBatches),
              Metric.number("OffsetsDiscarded", TopicPartitionProgress::discardedOffsets),
              Metric.number("CommittedOffset", TopicPartitionProgress::committedOffset),
              Metric.number("EndOffset", TopicPartitionProgress::endOffset),
              Metric.number("LagRecords", TopicPartitionProgress::lagOffsets),
              Metric.number("LagMs", TopicPartitionProgress::lagMs),
              Metric.number("LastCommitAgeMs", TopicPartitionProgress::lastCommitAgeMs)));

  private final String connector;
  private final int task;
  private final Map<TopicPartition, MetricBean<TopicPartitionProgress>> beans = new HashMap<>();

  public TopicPartitionMetrics(String connector, int task) {
    this.connector = connector;
    this.task = task;
  }

  public void take(TopicPartition topicPartition, TopicPartitionProgress progress) {
    leave(topicPartition);
    MetricBean<TopicPartitionProgress> bean =
        new MetricBean<>(
            TYPE, progress, connector, task, topicPartition.topic(), topicPartition.partition());
    beans.put(topicPartition, bean);
    bean.register();
  }

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
