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
 * client has a broker, whose metadata may be outdated. That of one new client is not.
 */
record SimulatedEndOffsets(SimulatedKafka kafka, String cluster, CallGate gate)
    implements EndOffsets {
  private static final int CLIENTS = 5;

  /** Asks the cluster that the configuration names now, also after the connector has moved. */
  SimulatedEndOffsets(SimulatedKafka kafka, CallGate gate) {
    this(kafka, kafka.cluster(), gate);
  }

  @Override
  public Answers ask(Collection<String> topics, boolean agreed) throws IOException {
    if (!cluster.equals(kafka.cluster())) {
      return askFormer(topics);
    }
    boolean own = kafka.metadata().asksOutdatedBroker();
    Map<String, TopicDescription> before = gate.ask("kafka describe", () -> described(topics, own));
    Map<String, List<Long>> ends = new HashMap<>();
    Map<String, Map<Integer, Long>> open = new HashMap<>();
    gate.ask("kafka high watermarks", () -> answerEnds(before, own, ends, open));
    List<Map<String, TopicDescription>> after = new ArrayList<>();
    after.add(gate.ask("kafka describe again", () -> described(topics, own)));
    if (agreed) {
      List<Map<String, TopicDescription>> others = new ArrayList<>();
      for (boolean outdated : kafka.metadata().askOutdatedBrokers(CLIENTS)) {
        others.add(gate.ask("kafka describe by a new client", () -> described(topics, outdated)));
      }
      kafka.metadata().noteAgreement(others);
      after.addAll(others);
    }
    Set<String> refused =
        topics.stream().filter(kafka.metadata()::isHidden).collect(Collectors.toSet());
    return new Answers(
        kafka.cluster(), before, ends, open, after, refused, kafka.metadata().unreadable());
  }

  /** A process that does not know of the move asks the former cluster. */
  private Answers askFormer(Collection<String> topics) throws IOException {
    return gate.ask(
        "kafka high watermarks",
        () -> {
          SimulatedKafka.FormerCluster former = kafka.former().orElseThrow();
          Map<String, TopicDescription> described = new HashMap<>(former.topics());
          described.keySet().retainAll(topics);
          Map<String, List<Long>> ends = new HashMap<>(former.ends());
          ends.keySet().retainAll(described.keySet());
          return new Answers(
              former.id(), described, ends, Map.of(), List.of(described), Set.of(), Set.of());
        });
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
      boolean outdated,
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
          ends.put(topic, all.stream().map(each -> kafka.answeredEnd(each, outdated)).toList());
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
