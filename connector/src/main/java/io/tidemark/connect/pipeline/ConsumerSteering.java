package io.tidemark.connect.pipeline;

import io.tidemark.connect.health.TaskHealth;
import io.tidemark.connect.intake.ConsumerControl;
import io.tidemark.store.TopicPartition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Seeks, pauses and resumes the consumer as sessions want it. Called by the task's thread only. */
final class ConsumerSteering {
  private final ConsumerControl consumer;
  private final Set<TopicPartition> paused = new HashSet<>();

  ConsumerSteering(ConsumerControl consumer) {
    this.consumer = consumer;
  }

  /** Notes that topic-partitions were assigned or revoked: Connect delivers records of new ones. */
  void reassigned(Collection<TopicPartition> topicPartitions) {
    paused.removeAll(topicPartitions);
  }

  int paused() {
    return paused.size();
  }

  /** Pauses all topic-partitions if the task is {@code limited}; shows the waits of each. */
  void steer(Collection<TopicPartitionSession> sessions, boolean limited, TaskHealth health) {
    List<TopicPartition> toPause = new ArrayList<>();
    List<TopicPartition> toResume = new ArrayList<>();
    for (TopicPartitionSession session : sessions) {
      TopicPartition topicPartition = session.topicPartition();
      session.position().takeSeek().ifPresent(offset -> consumer.seek(topicPartition, offset));
      session.progress().waits(health.foundOf(topicPartition));
      boolean pause = limited || !session.reading();
      if (pause && paused.add(topicPartition)) {
        toPause.add(topicPartition);
      } else if (!pause && paused.remove(topicPartition)) {
        toResume.add(topicPartition);
      }
    }
    if (!toPause.isEmpty()) {
      consumer.pause(toPause);
    }
    if (!toResume.isEmpty()) {
      consumer.resume(toResume);
    }
  }
}
