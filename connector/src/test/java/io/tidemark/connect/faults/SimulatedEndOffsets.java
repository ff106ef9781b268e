package io.tidemark.connect.faults;

import io.tidemark.completeness.decide.TopicDescription;
import io.tidemark.completeness.reckon.EndOffsets;
import io.tidemark.store.TopicPartition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Kafka's end offsets, as a process requests them: in calls like those of the real clients. Each
 * client has a broker, whose metadata may be outdated. That of the last new client is not.
 */
record SimulatedEndOffsets(SimulatedKafka kafka, CallGate gate) implements EndOffsets {
  private static final int CLIENTS = 5;

  @Override
  public Answers ask(Collection<String> topics, boolean agreed) throws IOException {
    boolean own = kafka.metadata().asksOutdatedBroker();
    Map<String, TopicDescription> before = gate.ask("kafka describe", () -> described(topics, own));
    Map<String, List<Long>> ends = new HashMap<>();
    Map<String, Map<Integer, Long>> open = new HashMap<>();
    gate.ask("kafka high watermarks", () -> answerEnds(before, ends, open));
    List<Map<String, TopicDescription>> after = new ArrayList<>();
    after.add(gate.ask("kafka describe again", () -> described(topics, own)));
    for (int client = agreed ? 1 : CLIENTS + 1; client <= CLIENTS; client++) {
      boolean last = client == CLIENTS;
      after.add(
          gate.ask(
              "kafka describe by a new client",
              () -> described(topics, !last && kafka.metadata().asksOutdatedBroker())));
    }
    Set<String> refused =
        topics.stream().filter(kafka.metadata()::isHidden).collect(Collectors.toSet());
    return new Answers(SimulatedDirectory.CLUSTER, before, ends, open, after, refused, Set.of());
  }

  private Map<String, TopicDescription> described(Collection<String> topics, boolean outdated) {
    Map<String, TopicDescription> described = new HashMap<>();
    for (String topic : topics) {
      if (!kafka.metadata().isHidden(topic)) {
        kafka.metadata().describe(topic, outdated).ifPresent(found -> described.put(topic, found));
      }
    }
    return described;
  }

  private boolean answerEnds(
      Map<String, TopicDescription> topics,
      Map<String, List<Long>> ends,
      Map<String, Map<Integer, Long>> open) {
    topics.forEach(
        (topic, description) -> {
          List<TopicPartition> all =
              IntStream.range(0, description.topicPartitions())
                  .mapToObj(each -> new TopicPartition(topic, each))
                  .toList();
          if (!all.stream().allMatch(each -> kafka.exists(each) && kafka.hasLeader(each))) {
            return; // The others do not wait for it.
          }
          ends.put(topic, all.stream().map(kafka::answeredEnd).toList());
          for (TopicPartition each : all) {
            kafka
                .of(each)
                .openTransaction()
                .ifPresent(
                    offset ->
                        open.computeIfAbsent(topic, name -> new HashMap<>())
                            .put(each.partition(), offset));
          }
        });
    return true;
  }

  /** The end offsets of another cluster, which has topics of the same names. */
  record Other(SimulatedKafka kafka, CallGate gate, long end) implements EndOffsets {
    @Override
    public Answers ask(Collection<String> topics, boolean agreed) throws IOException {
      Map<String, TopicDescription> described = new HashMap<>();
      Map<String, List<Long>> ends = new HashMap<>();
      for (String topic : topics) {
        int all = Math.max(1, kafka.topicPartitions(topic).size());
        described.put(
            topic,
            new TopicDescription(OtherCluster.topicId(topic), all, Collections.nCopies(all, 0)));
        ends.put(topic, IntStream.range(0, all).mapToObj(each -> end).toList());
      }
      return gate.ask(
          "kafka high watermarks",
          () ->
              new Answers(
                  OtherCluster.CLUSTER,
                  described,
                  ends,
                  Map.of(),
                  List.of(described),
                  Set.of(),
                  Set.of()));
    }

    @Override
    public void close() {}
  }

  @Override
  public void close() {}
}
