package io.tidemark.connect.pipeline.setting;

import java.util.Collection;
import org.apache.kafka.common.TopicPartition;

/**
 * What the pipeline asks of the consumer that feeds it: a port. Called on the task's thread only.
 */
public interface ConsumerControl {

  void pause(Collection<TopicPartition> topicPartitions);

  void resume(Collection<TopicPartition> topicPartitions);

  /** The next record delivered of the topic-partition is to be the one at this offset. */
  void seek(TopicPartition topicPartition, long offset);

  /** Calls put() again after this time at the latest, with records or without. */
  void callAgainWithin(long ms);

  /** Asks for preCommit() soon. */
  void requestCommit();
}
