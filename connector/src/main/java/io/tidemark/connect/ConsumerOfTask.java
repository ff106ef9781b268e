package io.tidemark.connect;

import io.tidemark.connect.pipeline.setting.ConsumerControl;
import java.util.Collection;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkTaskContext;

/** Controls Connect's consumer through the task's context. */
record ConsumerOfTask(SinkTaskContext context) implements ConsumerControl {

  @Override
  public void pause(Collection<TopicPartition> topicPartitions) {
    context.pause(topicPartitions.toArray(TopicPartition[]::new));
  }

  @Override
  public void resume(Collection<TopicPartition> topicPartitions) {
    context.resume(topicPartitions.toArray(TopicPartition[]::new));
  }

  @Override
  public void seek(TopicPartition topicPartition, long offset) {
    context.offset(topicPartition, offset);
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
