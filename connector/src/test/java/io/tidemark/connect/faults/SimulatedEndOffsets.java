package io.tidemark.connect.faults;

import io.tidemark.completeness.decide.TopicDescription;
import io.tidemark.completeness.reckon.EndOffsets;
import io.tidemark.store.TopicPartition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Kafka's end offsets, as a process requests them: in calls like those of the real clients. Each
 * client asks a broker whose metadata may be outdated, but not all clients do.
 *
 * @param other true to ask another cluster, which has topics of the same names
 */
record SimulatedEndOffsets(SimulatedKafka kafka, CallGate gate, boolean other)
    implements EndOffsets {

  private static final int CLIENTS = 5;

  @Override
  public Answers ask(Collection<String> topics, boolean agreed) throws IOException {
    Map<String, TopicDescription> before =
        gate.ask("kafka describe", () -> described(topics, kafka.asksOutdatedBroker()));
    Map<String, List<Long>> ends = new HashMap<>();
    Map<String, Map<Integer, Long>> open = new HashMap<>();
    gate.ask("kafka high watermarks", () -> answerEnds(before, ends, open));
    List<Map<String, TopicDescription>> after = new ArrayList<>();
    after.add(
        gate.ask("kafka describe again", () -> described(topics, kafka.asksOutdatedBroker())));
    for (int client = agreed ? 1 : CLIENTS + 1; client <= CLIENTS; client++) {
      boolean last = client == CLIENTS;
      after.add(
          gate.ask(
              "kafka describe by a new client",
              () -> described(topics, !last && kafka.asksOutdatedBroker())));
    }
    Set<String> refused =
        topics.stream()
            .filter(topic -> !other && kafka.isHidden(topic))
            .collect(Collectors.toSet());
    return new Answers(other ? "other" : "cluster", before, ends, open, after, refused, Set.of());
  }

  private List<TopicPartition> of(String topic) {
    return kafka.topicPartitions().stream()
        .filter(each -> each.topic().equals(topic) && (other || kafka.exists(topic)))
        .toList();
  }

  private Map<String, TopicDescription> described(Collection<String> topics, boolean outdated) {
    Map<String, TopicDescription> described = new HashMap<>();
    for (String topic : topics) {
      if (other) {
        int all = of(topic).size();
        if (all > 0) {
          described.put(
              topic, new TopicDescription(SimulatedKafka.otherIdentity(topic).topicId(), all));
        }
      } else if (!kafka.isHidden(topic)) {
        kafka.describe(topic, outdated).ifPresent(found -> described.put(topic, found));
      }
    }
    return described;
  }

  private boolean answerEnds(
      Map<String, TopicDescription> topics,
      Map<String, List<Long>> ends,
      Map<String, Map<Integer, Long>> open) {
    for (String topic : topics.keySet()) {
      int asked = Objects.requireNonNull(topics.get(topic)).topicPartitions();
      List<TopicPartition> all =
          of(topic).stream().filter(each -> each.partition() < asked).toList();
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
