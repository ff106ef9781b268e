package io.tidemark.connect;

import io.tidemark.connect.intake.ConsumerControl;
import io.tidemark.connect.kafka.KafkaPartition;
import io.tidemark.store.TopicPartition;
import java.util.Collection;
import org.apache.kafka.connect.sink.SinkTaskContext;

/** Controls Connect's consumer through the task's context. */
record ConsumerOfTask(SinkTaskContext context) implements ConsumerControl {

  @Override
  public void pause(Collection<TopicPartition> topicPartitions) {
    context.pause(kafkas(topicPartitions));
  }

  @Override
  public void resume(Collection<TopicPartition> topicPartitions) {
    context.resume(kafkas(topicPartitions));
  }

  @Override
  public void seek(TopicPartition topicPartition, long offset) {
    context.offset(KafkaPartition.of(topicPartition), offset);
  }

  private static org.apache.kafka.common.TopicPartition[] kafkas(
      Collection<TopicPartition> topicPartitions) {
    return topicPartitions.stream()
        .map(KafkaPartition::of)
        .toArray(org.apache.kafka.common.TopicPartition[]::new);
  }

  @Override
  public void callAgainWithin(long ms) {
    context.timeout(ms);
  }

  @Override
  public void requestCommit() {
    context.requestCommit();
  }
}
