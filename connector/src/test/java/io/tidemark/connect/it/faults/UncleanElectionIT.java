package io.tidemark.connect.it.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.landed.RowKey;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.KafkaBroker;
import io.tidemark.stack.Polling;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An unclean leader election among three brokers truncates landed records, and gives their offsets
 * to more new ones.
 */
@OnRealStack
@Tag("faults")
final class UncleanElectionIT {

  private static final long REPLICATED = 60;
  private static final long LANDED = 100;
  private static final long PRODUCED = 180;

  /** One connector runs and another is stopped. Each continues by one of the two cures. */
  @Test
  void taskStopsBeforeRecordsAreLostAndGoesOnAsItsWordsSay(RealStack stack) {
    RealStack replicated = stack.withBrokers(3);
    // The first broker is the controller.
    KafkaBroker leader = replicated.services().kafka().broker(2);
    KafkaBroker follower = replicated.services().kafka().broker(3);
    List<Integer> replicas = List.of(leader.id(), follower.id());
    SourceTopic running = replicated.uncleanTopic("unclean-running", replicas);
    SourceTopic stopped = replicated.uncleanTopic("unclean-stopped", replicas);
    List<SourceTopic> topics = List.of(running, stopped);
    topics.forEach(topic -> topic.send(Readings.V1, 0, REPLICATED));
    Deployment first = replicated.deploy(unvalidated(running));
    Deployment second = replicated.deploy(unvalidated(stopped));
    first.awaitLanded();
    second.awaitLanded();

    follower.stop();
    topics.forEach(topic -> awaitReplicas(replicated, topic, leader, List.of(leader)));
    topics.forEach(topic -> topic.send(Readings.V1, REPLICATED, LANDED));
    first.awaitLanded();
    second.awaitLanded();
    second.stop();

    leader.kill();
    follower.start();
    for (SourceTopic topic : topics) {
      awaitReplicas(replicated, topic, follower, List.of(follower));
      assertThat(kafkasEnd(replicated, topic)).isEqualTo(REPLICATED);
      topic.truncatedTo(0, REPLICATED);
      topic.send(Readings.V1, LANDED, PRODUCED);
    }
    leader.start();
    topics.forEach(topic -> awaitReplicas(replicated, topic, follower, List.of(leader, follower)));

    replicated.connect().resume(second.name());
    String toldFirst = first.awaitFailure();
    String toldSecond = second.awaitFailure();
    assertThat(List.of(toldFirst, toldSecond))
        .allSatisfy(
            told ->
                assertThat(told)
                    .contains("has landed offsets up to " + LANDED)
                    .contains("has not kept offset " + REPLICATED + " and the later ones"));
    topics.forEach(topic -> second.table(topic).assertHoldsExactly(rows(0, LANDED)));

    // Records at offsets that had landed are skipped.
    first.consent(toldFirst);
    first.awaitLanded();
    List<RowKey> kept = rows(0, LANDED);
    kept.addAll(rows(LANDED + (LANDED - REPLICATED), PRODUCED));
    FaultScenario.holdsExactly(running.name(), first.table(running), kept);

    second.stop();
    stopped.makeAgain();
    stopped.send(Readings.V1, LANDED, PRODUCED);
    second.resume();
    second.awaitLanded();
    FaultScenario.holdsExactly(stopped.name(), second.table(stopped), rows(0, PRODUCED));
  }

  private static List<RowKey> rows(long from, long to) {
    return new ArrayList<>(
        LongStream.range(from, to).mapToObj(number -> new RowKey(0, number)).toList());
  }

  private static void awaitReplicas(
      RealStack stack, SourceTopic topic, KafkaBroker leader, List<KafkaBroker> inSync) {
    Polling.until(
        topic.name() + " is led by " + leader.process(),
        RealStack.DEADLINE,
        () -> {
          TopicDescription described =
              RealStack.joined(
                      stack.admin().describeTopics(List.of(topic.name())).allTopicNames(),
                      "describing " + topic.name())
                  .get(topic.name());
          TopicPartitionInfo seen = Objects.requireNonNull(described).partitions().get(0);
          boolean led = seen.leader() != null && seen.leader().id() == leader.id();
          return led
                  && seen.isr().stream()
                      .map(Node::id)
                      .sorted()
                      .toList()
                      .equals(inSync.stream().map(KafkaBroker::id).toList())
              ? Optional.empty()
              : Optional.of(seen.toString());
        });
  }

  /** Right after the brokers' start, validation may not get an answer in time. */
  private static ConnectorSettings unvalidated(SourceTopic topic) {
    return ConnectorSettings.of(topic.name(), topic).with("validation.connect", "false");
  }

  private static long kafkasEnd(RealStack stack, SourceTopic topic) {
    TopicPartition topicPartition = new TopicPartition(topic.name(), 0);
    return RealStack.joined(
            stack
                .admin()
                .listOffsets(Map.of(topicPartition, OffsetSpec.latest()))
                .partitionResult(topicPartition),
            "the end offset of " + topicPartition)
        .offset();
  }
}
