package io.tidemark.cli.adopt;

import io.tidemark.store.TopicPartition;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Kafka's offsets, requested before the directories are read.
 *
 * @param group the committed offsets of the old sink's consumer group
 * @param beginning the first offsets that Kafka has, of each partition of each topic
 * @param end the offsets after Kafka's last records, of the same partitions
 */
public record KafkaOffsets(
    Map<TopicPartition, Long> group,
    Map<TopicPartition, Long> beginning,
    Map<TopicPartition, Long> end) {

  public KafkaOffsets {
    group = Map.copyOf(group);
    beginning = Map.copyOf(beginning);
    end = Map.copyOf(end);
  }

  /** Returns the topics that Kafka has, or in which the group has offsets. */
  Set<String> topics() {
    Set<String> topics = new TreeSet<>();
    group.keySet().forEach(each -> topics.add(each.topic()));
    end.keySet().forEach(each -> topics.add(each.topic()));
    return topics;
  }

  Set<Integer> partitions(String topic) {
    Set<Integer> partitions = new TreeSet<>();
    for (Set<TopicPartition> each : List.of(group.keySet(), end.keySet())) {
      each.stream()
          .filter(at -> at.topic().equals(topic))
          .forEach(at -> partitions.add(at.partition()));
    }
    return partitions;
  }
}
