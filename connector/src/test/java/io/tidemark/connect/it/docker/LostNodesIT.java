package io.tidemark.connect.it.docker;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A broker, a data node or a worker is lost. The others have all of its data. */
@OnDocker
final class LostNodesIT {

  private static final Duration LASTS = Duration.ofSeconds(20);

  /** About 10 MB for each topic-partition. */
  private static final int BURST = 50_000;

  @Test
  void nothingButTheMainPath(DockerStack stack) {
    try (DockerScenario scenario = DockerScenario.begin(stack, "main-path")) {
      scenario.lasts(LASTS);
      scenario.endsWith(() -> {});
      scenario.recovers();
    }
  }

  @Test
  void lostBrokerIsDoneWithout(DockerStack stack) {
    StackContainer broker = stack.container("kafka-2");
    try (DockerScenario scenario = DockerScenario.begin(stack, "broker-lost")) {
      broker.kill();
      scenario.progresses();
      scenario.lasts(LASTS);
      scenario.progresses();
      scenario.endsWith(broker::start);
      scenario.recovers();
    }
  }

  /** Writing of the open blocks continues on the two other data nodes. */
  @Test
  void dataNodeLostInMidBlockIsDoneWithout(DockerStack stack) {
    StackContainer dataNode = stack.container("data-node-3");
    try (DockerScenario scenario = DockerScenario.begin(stack, "data-node-lost")) {
      scenario.bursts(BURST);
      stack.awaitBlockBeingWritten("data-node-3");
      dataNode.kill();
      scenario.progresses();
      scenario.lasts(LASTS);
      scenario.progresses();
      scenario.endsWith(dataNode::start);
      scenario.recovers();
    }
  }

  /** Its task moves to the other worker. */
  @Test
  void lostWorkerIsDoneWithout(DockerStack stack) {
    StackContainer worker = stack.container("connect-2");
    try (DockerScenario scenario = DockerScenario.begin(stack, "worker-lost")) {
      worker.kill();
      scenario.progresses();
      scenario.endsWith(worker::start);
      scenario.recovers();
      scenario.staysSo();
    }
  }
}
