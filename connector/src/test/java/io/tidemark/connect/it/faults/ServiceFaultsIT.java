package io.tidemark.connect.it.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.stack.Hdfs;
import io.tidemark.stack.ServerProcess;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Services that are killed or stall, and recover with the content of their disks. */
@OnRealStack
@Tag("faults")
final class ServiceFaultsIT {

  /** No service listens here. */
  private static final String NOBODY = "localhost:1";

  private static final Duration SHORT = Duration.ofSeconds(15);
  private static final Duration LONG = Duration.ofSeconds(60);

  @Test
  void killedNameNodeIsWaitedOut(RealStack stack) {
    Hdfs hdfs = stack.services().hdfs();
    try (FaultScenario scenario = FaultScenario.begin(stack, "name-node-killed")) {
      hdfs.nameNode().kill();
      scenario.lasts(SHORT);
      scenario.says("WAITING", "store.url " + hdfs.uri(), "Connection refused");
      scenario.endsWith(
          () -> {
            hdfs.nameNode().start();
            hdfs.awaitServing();
          });
      scenario.recovers();
    }
  }

  @Test
  void killedDataNodeIsWaitedOut(RealStack stack) {
    ServerProcess dataNode = stack.services().hdfs().dataNode();
    try (FaultScenario scenario = FaultScenario.begin(stack, "data-node-killed")) {
      dataNode.kill();
      scenario.lasts(SHORT);
      scenario.endsWith(dataNode::start);
      scenario.recovers();
    }
  }

  /** Its connections stay open, and nothing is answered. */
  @Test
  void stalledDataNodeIsWaitedOut(RealStack stack) {
    ServerProcess dataNode = stack.services().hdfs().dataNode();
    try (FaultScenario scenario = FaultScenario.begin(stack, "data-node-stalled")) {
      dataNode.suspend();
      try {
        scenario.lasts(SHORT);
      } finally {
        scenario.endsWith(dataNode::resume);
      }
      scenario.recovers();
    }
  }

  /** Connect's workers end all tasks when they have no coordinator, so no task can report it. */
  @Test
  void killedBrokerIsWaitedOut(RealStack stack) {
    ServerProcess broker = stack.services().kafka().broker(1).process();
    try (FaultScenario scenario = FaultScenario.begin(stack, "broker-killed")) {
      broker.kill();
      scenario.lasts(SHORT);
      scenario.endsWith(broker::start);
      scenario.recovers();
    }
  }

  /** The worker's consumer still receives records. */
  @Test
  @Tag("long")
  void connectorsOwnKafkaClientWithoutBrokersIsWaitedOut(RealStack stack) {
    String right = stack.services().kafka().bootstrapServers();
    try (FaultScenario scenario = FaultScenario.begin(stack, "own-client-away")) {
      scenario.configure(
          settings ->
              settings.with("kafka.bootstrap.servers", NOBODY).with("validation.connect", "false"));
      scenario.says("WAITING", "kafka.bootstrap.servers " + NOBODY, "");
      scenario.lasts(SHORT); // long enough for a line in the log
      scenario.endsWith(
          () -> scenario.configure(settings -> settings.with("kafka.bootstrap.servers", right)));
      scenario.recovers();
    }
  }

  /** Hive gets them afterwards. */
  @Test
  @Tag("long")
  void recordsLandWhileTheMetastoreIsAway(RealStack stack) {
    ServerProcess metastore = stack.services().metastore().process();
    try (FaultScenario scenario = FaultScenario.begin(stack, "metastore-away")) {
      metastore.kill();
      scenario.lasts(LONG);
      scenario.says(
          "WAITING", "hive.metastore.uris " + stack.services().metastore().uris(), "failed");
      scenario.progresses();
      scenario.endsWith(metastore::start);
      scenario.recovers();
    }
  }

  /** Records of a new schema wait for the registry, and delay their own topic-partition only. */
  @Test
  @Tag("long")
  void recordsOfKnownSchemasLandWhileTheRegistryIsAway(RealStack stack) {
    ServerProcess registry = stack.services().registry().process();
    try (FaultScenario scenario = FaultScenario.begin(stack, "registry-away")) {
      stack.register(scenario.topic().name(), Readings.V2);
      registry.kill();
      scenario.lasts(LONG.dividedBy(2));
      scenario.progresses();
      scenario.writesWith(0, Readings.V2);
      scenario.lasts(LONG.dividedBy(2));
      scenario.says("WAITING", "schema.registry.url " + stack.services().registry().url(), "Tried");
      long held = scenario.log().next(0);
      scenario.progresses(List.of(1, 2, 3));
      assertThat(scenario.log().next(0)).as("of a schema that cannot be asked for").isEqualTo(held);
      scenario.endsWith(registry::start);
      scenario.recovers();
    }
  }
}
