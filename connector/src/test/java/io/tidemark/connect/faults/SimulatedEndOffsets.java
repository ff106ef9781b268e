package io.tidemark.connect.faults;

import io.tidemark.completeness.decide.TopicDescription;
import io.tidemark.completeness.reckon.EndOffsets;
import io.tidemark.store.TopicPartition;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Kafka's end offsets, as a process requests them: in three calls, like the real client. While
 * brokers have different answers about a topic, the first answer is of its former life.
 *
 * @param other true to ask another cluster, which has topics of the same names
 */
record SimulatedEndOffsets(SimulatedKafka kafka, CallGate gate, boolean other)
    implements EndOffsets {

  @Override
  public Answers ask(Collection<String> topics) throws IOException {
    Map<String, TopicDescription> before =
        gate.ask("kafka describe", () -> described(topics, true));
    Map<String, List<Long>> ends = new HashMap<>();
    Map<String, Map<Integer, Long>> open = new HashMap<>();
    gate.ask("kafka high watermarks", () -> answerEnds(topics, ends, open));
    Map<String, TopicDescription> after =
        gate.ask("kafka describe again", () -> described(topics, false));
    return new Answers(other ? "other" : "cluster", before, ends, open, after, Set.of(), Set.of());
  }

  private List<TopicPartition> of(String topic) {
    return kafka.topicPartitions().stream()
        .filter(each -> each.topic().equals(topic) && (other || kafka.exists(topic)))
        .toList();
  }

  private Map<String, TopicDescription> described(Collection<String> topics, boolean first) {
    Map<String, TopicDescription> described = new HashMap<>();
    for (String topic : topics) {
      List<TopicPartition> all = of(topic);
      if (!all.isEmpty()) {
        String id =
            other
                ? SimulatedKafka.otherIdentity(topic).topicId()
                : first && kafka.answersFormerLife(topic)
                    ? kafka.formerTopicId(topic)
                    : kafka.topicId(topic);
        described.put(topic, new TopicDescription(id, all.size()));
      }
    }
    return described;
  }

  private boolean answerEnds(
      Collection<String> topics,
      Map<String, List<Long>> ends,
      Map<String, Map<Integer, Long>> open) {
    for (String topic : topics) {
      List<TopicPartition> all = of(topic);
      if (other) {
        ends.put(topic, all.stream().map(each -> kafka.otherEnd()).toList());
        continue;
      }
      if (!all.stream().allMatch(kafka::hasLeader)) {
        continue; // The others do not wait for it.
      }
      ends.put(topic, all.stream().map(kafka::end).toList());
      for (TopicPartition each : all) {
        kafka
            .openTransaction(each)
            .ifPresent(
                offset ->
                    open.computeIfAbsent(topic, name -> new HashMap<>())
                        .put(each.partition(), offset));
      }
    }
    return true;
  }

  @Override
  public void close() {}
}
