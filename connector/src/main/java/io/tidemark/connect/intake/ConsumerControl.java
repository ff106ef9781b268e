package io.tidemark.connect.intake;

import io.tidemark.store.TopicPartition;
import java.util.Collection;

/** Pauses, resumes and seeks the pipeline's consumer. Called on the task's thread only. */
public interface ConsumerControl {

  void pause(Collection<TopicPartition> topicPartitions);

  void resume(Collection<TopicPartition> topicPartitions);

  /** The next delivered record is at this offset or after it. */
  void seek(TopicPartition topicPartition, long offset);

  /** Requests a call of put() within this time, with records or without. */
  void callAgainWithin(long ms);

  /** Requests a call of preCommit(). */
  void requestCommit();
}
