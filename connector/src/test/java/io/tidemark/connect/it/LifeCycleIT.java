package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.it.landed.LandedFile;
import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.landed.LogEntry;
import io.tidemark.connect.it.landed.RowKey;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.connect.it.stack.SteadyLoad;
import io.tidemark.stack.ConnectClient;
import io.tidemark.stack.ConnectRequestException;
import io.tidemark.stack.Polling;
import io.tidemark.stack.WebHdfs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** An operator's actions on a connector through Connect's REST API, on two workers. */
@OnRealStack
final class LifeCycleIT {

  /** Three times the interval of a batch. */
  private static final long PAUSED_MS = 1_500;

  @Test
  void pausedStoppedAndRestartedUnderLoadItLandsEachRowOnce(RealStack stack)
      throws InterruptedException {
    SourceTopic topic = stack.topic("cycle", 4);
    ConnectorSettings settings = ConnectorSettings.of("cycle", topic).with("tasks.max", 2);
    assertThat(stack.connect().validate(settings.on(stack))).isEmpty();
    SteadyLoad load = new SteadyLoad(topic);
    load.begin();
    Deployment connector = stack.create(settings, "PAUSED");
    assertThat(connector.log(topic).entries()).as("created in the state PAUSED").isEmpty();
    connector.resume();
    connector.awaitAssignedToAllTasks(topic);

    connector.pause();
    load.end();
    topic.send(Readings.V1, 1_000_000, 1_000_100);
    Thread.sleep(PAUSED_MS);
    assertThat(connector.shortfall(topic)).as("while PAUSED").isPresent();
    connector.resume();
    connector.landsExactly();

    load.begin();
    connector.stop();
    long committed = connector.log(topic).committed();
    load.end();
    assertThat(connector.log(topic).committed()).as("while STOPPED").isEqualTo(committed);
    connector.resume();
    connector.landsExactly();

    load.begin();
    stack.connect().restart(connector.name());
    load.end();
    connector.awaitRunning();
    connector.landsExactly();
  }

  /** Each owner of the topic-partition fails. An operator restores the file. */
  @Test
  void failedTasksRestartedLandTheRest(RealStack stack) throws IOException {
    SourceTopic topic = stack.topic("failed", 2);
    topic.send(Readings.V1, 0, 300);
    Deployment connector = stack.deploy(ConnectorSettings.of("failed", topic).with("tasks.max", 2));
    connector.landsExactly();
    connector.stop();
    WebHdfs hdfs = stack.services().hdfs().files();
    String last = "/logs/failed/failed/1/" + connector.log(topic).last(1).name();
    byte[] entry = hdfs.read(last);
    hdfs.write(last, "{".getBytes(StandardCharsets.UTF_8));
    topic.send(Readings.V1, 300, 600);
    stack.connect().resume(connector.name());
    Polling.until(
        "both tasks fail",
        RealStack.DEADLINE,
        () ->
            connector
                .status()
                .filter(
                    status ->
                        status.tasks().size() == 2
                            && status.tasks().stream()
                                .allMatch(task -> task.state().equals("FAILED")))
                .map(status -> Optional.<String>empty())
                .orElseGet(() -> Optional.of("the status is " + connector.status())));
    assertThat(connector.awaitFailure()).contains(last);

    hdfs.write(last, entry);
    stack.connect().restartFailed(connector.name());
    Polling.until(
        "both tasks run again",
        RealStack.DEADLINE,
        () ->
            connector
                .status()
                .filter(status -> status.isRunning())
                .map(status -> Optional.<String>empty())
                .orElseGet(() -> Optional.of("the status is " + connector.status())));
    connector.landsExactly();
  }

  @Test
  void offsetsAreFreeUntilSomethingHasLandedAndThenOnlyGoForward(RealStack stack) {
    SourceTopic topic = stack.topic("offsets", 3);
    String name = topic.name();
    TopicPartition zero = new TopicPartition(name, 0);
    TopicPartition one = new TopicPartition(name, 1);
    TopicPartition two = new TopicPartition(name, 2);
    topic.send(Readings.V1, 0, 300);
    Deployment connector = stack.create(ConnectorSettings.of(name, topic), "STOPPED");
    ConnectClient connect = stack.connect();

    connect.alterOffsets(name, Map.of(zero, 250L, one, 200L));
    assertThat(connect.offsets(name)).isEqualTo(Map.of(zero, 250L, one, 200L));
    connect.resetOffsets(name);
    assertThat(connect.offsets(name)).isEmpty();
    connect.alterOffsets(name, Map.of(zero, 100L));
    connector.resume();
    refused(() -> connect.alterOffsets(name, Map.of(one, 300L)), "must be in the STOPPED state");
    refused(() -> connect.resetOffsets(name), "must be in the STOPPED state");
    connector.awaitLanded();
    connector.stop();
    assertThat(connector.log(topic).batches(0).get(0).first()).isEqualTo(100);

    topic.send(Readings.V1, 300, 600);
    List<LogEntry> before = connector.log(topic).entries();
    refused(
        () -> connect.alterOffsets(name, Map.of(zero, 310L, one, 299L)),
        "the offset cannot go back to 299",
        "has landed offsets up to 300");
    refused(
        () -> connect.alterOffsets(name, Map.of(zero, 310L, two, 601L)),
        "the offset cannot be 601: Kafka's end offset is 600. Choose an offset from 300 to 600");
    refused(() -> connect.resetOffsets(name), "the offset cannot be reset");
    assertThat(connector.log(topic).entries()).as("refused as a whole").isEqualTo(before);

    connect.alterOffsets(name, Map.of(zero, 310L, one, 600L, two, 300L));
    assertThat(connect.offsets(name)).isEqualTo(Map.of(zero, 310L, one, 600L, two, 300L));
    connector.resume();
    connector.awaitLanded();
    Set<RowKey> expected = new HashSet<>(topic.produced());
    expected.removeIf(key -> key.source() == 0 && key.seq() < 100);
    expected.removeIf(key -> key.source() == 0 && key.seq() >= 300 && key.seq() < 310);
    expected.removeIf(key -> key.source() == 1 && key.seq() >= 300);
    connector.table(topic).assertHoldsExactly(expected);
    assertThat(skippedAndLanded(connector, topic, 0)).containsExactly(10L, 490L);
    assertThat(skippedAndLanded(connector, topic, 1)).containsExactly(300L, 300L);
    assertThat(skippedAndLanded(connector, topic, 2)).containsExactly(0L, 600L);
  }

  /** Kafka's client would wait 30 s for a topic-partition that does not exist. */
  @Test
  void eachWrongRequestForOffsetsIsRefusedAtOnceForItsReason(RealStack stack) {
    SourceTopic topic = stack.topic("wrong-offsets", 1);
    stack.topic("wrong-offsets-not-read", 1);
    String name = topic.name();
    topic.send(Readings.V1, 0, 300);
    Deployment connector = stack.create(ConnectorSettings.of(name, topic), "STOPPED");
    wrong(stack, name, 0, "-1", "wrong-offsets-0: the offset cannot be -1");
    wrong(stack, name, 0, "301", "Kafka's end offset is 300. Choose an offset from 0 to 300");
    connector.resume();
    connector.awaitLanded();
    connector.stop();

    String missing = "Kafka has no such topic-partition";
    String notRead = "the connector does not read this topic";
    wrong(stack, name, 0, "-1", "the offset cannot go back to -1");
    wrong(stack, name, 0, "299", "the offset cannot go back to 299");
    wrong(stack, name, 0, "301", "Kafka's end offset is 300. Choose an offset from 300 to 300");
    wrong(stack, name, 0, "9223372036854775807", "Kafka's end offset is 300");
    wrong(stack, name, 0, "9223372036854775808", "need to be integers");
    wrong(stack, name, 0, "\"abc\"", "need to be integers");
    wrong(stack, name, 0, "1.5", "need to be integers");
    wrong(stack, name, 0, "{}", "need to be integers");
    wrong(stack, name, 1, "300", "wrong-offsets-1: " + missing);
    wrong(stack, name, 2_147_483_647, "300", missing);
    wrong(stack, name, -1, "300", "wrong-offsets--1: " + missing);
    for (String other :
        List.of("wrong-offsets-not-read", "nowhere", "a/b", "..", "Wrong-Offsets")) {
      wrong(stack, name, other, 0, "1", other + "-0: " + notRead);
    }
    refused(
        () ->
            stack
                .connect()
                .alterOffsets(
                    name,
                    "{\"offsets\": [{\"partition\": {\"kafka_topic\": \"wrong-offsets\","
                        + " \"kafka_partition\": 0}, \"offset\": null}]}"),
        "the offset cannot be reset");
    assertThat(stack.connect().offsets(name)).isEqualTo(Map.of(new TopicPartition(name, 0), 300L));
  }

  private static void wrong(
      RealStack stack, String name, int topicPartition, String offset, String why) {
    wrong(stack, name, name, topicPartition, offset, why);
  }

  private static void wrong(
      RealStack stack, String name, String topic, int partition, String offset, String why) {
    long begun = System.nanoTime();
    refused(
        () ->
            stack
                .connect()
                .alterOffsets(
                    name,
                    "{\"offsets\": [{\"partition\": {\"kafka_topic\": \"%s\", \"kafka_partition\": %d}, \"offset\": {\"kafka_offset\": %s}}]}"
                        .formatted(topic, partition, offset)),
        why);
    assertThat(Duration.ofNanos(System.nanoTime() - begun))
        .as("%s-%d to %s", topic, partition, offset)
        .isLessThan(Duration.ofSeconds(25));
  }

  private static void refused(Runnable call, String... why) {
    assertThatThrownBy(call::run)
        .isInstanceOf(ConnectRequestException.class)
        .hasMessageContainingAll(why);
  }

  /** The counts of the whole log, which ends at Kafka's end offset. */
  private static List<Long> skippedAndLanded(
      Deployment connector, SourceTopic topic, int topicPartition) {
    LogEntry last = connector.log(topic).last(topicPartition);
    assertThat(last.next()).isEqualTo(topic.end(topicPartition));
    return List.of(last.account("skipped"), last.account("landed"));
  }

  @Test
  void reconfiguredItLandsEachRowOnceWithTheNewSettings(RealStack stack) {
    SourceTopic stays = stack.topic("stays", 3);
    SourceTopic comes = stack.topic("comes", 2);
    ConnectorSettings first = ConnectorSettings.of("changed", stays);
    stays.send(Readings.V1, 0, 300);
    Deployment connector = stack.deploy(first);
    connector.landsExactly();
    List<String> files = new ArrayList<>();
    assertThat(newCodecs(connector.table(stays), files)).containsExactly("snappy");

    comes.send(Readings.V1, 0, 300);
    ConnectorSettings both =
        new ConnectorSettings("changed", List.of(stays, comes), Map.of())
            .with("avro.codec", "zstandard")
            .with("tasks.max", 3);
    connector.configure(both);
    // Until the third task has started, tasks of the former configuration may still land records.
    connector.awaitAssignedToAllTasks(stays);
    stays.send(Readings.V1, 300, 500);
    connector.landsExactly();
    assertThat(newCodecs(connector.table(stays), files)).containsExactly("zstandard");

    connector.configureStopped(
        new ConnectorSettings("changed", List.of(comes), Map.of()).with("avro.codec", "null"));
    connector.awaitRunning();
    long next = connector.log(stays).committed();
    stays.send(Readings.V1, 500, 700);
    comes.send(Readings.V1, 300, 500);
    connector.landsExactly();
    assertThat(newCodecs(connector.table(comes), files)).contains("zstandard", "null");
    assertThat(connector.log(stays).committed()).as("of a topic that was removed").isEqualTo(next);

    connector.configure(both.with("tasks.max", 2));
    stays.send(Readings.V1, 700, 800);
    comes.send(Readings.V1, 500, 600);
    connector.landsExactly();
  }

  /** The codecs of the files that are new since the last call. */
  private static Set<String> newCodecs(LandedTable table, List<String> known) {
    Set<String> codecs = new HashSet<>();
    for (String path : table.published().keySet()) {
      if (!known.contains(path)) {
        LandedFile file = table.read(path);
        codecs.add(file.codec());
        known.add(path);
      }
    }
    return codecs;
  }

  /** Both if the consumer group remained and if it was deleted. */
  @Test
  void deletedAndCreatedAgainItGoesOn(RealStack stack) {
    SourceTopic topic = stack.topic("recreated", 2);
    ConnectorSettings settings = ConnectorSettings.of("recreated", topic);
    topic.send(Readings.V1, 0, 300);
    Deployment connector = stack.create(settings, "RUNNING");
    connector.landsExactly();
    topic.send(Readings.V1, 300, 600);
    connector.deleteAndAwait();

    connector.create("RUNNING");
    connector.landsExactly();
    connector.stop();
    connector.deleteAndAwait();
    RealStack.joined(
        stack.admin().deleteConsumerGroups(List.of("connect-recreated")).all(),
        "deleting the group");
    topic.send(Readings.V1, 600, 700);

    connector.create("RUNNING");
    connector.landsExactly();
  }
}
