package io.tidemark.connect.it.docker;

import io.tidemark.connect.it.docker.StackContainer.Way;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Containers that are disconnected from the network in one or both directions, and reconnected. */
@OnDocker
final class NetworkFaultsIT {

  private static final Duration LASTS = Duration.ofSeconds(20);

  /**
   * The other worker's tasks continue to land. The disconnected worker must not land the same
   * records later.
   */
  @Test
  void workerCutOffFromTheNetworkDoublesNothing(DockerStack stack) {
    cutOff(stack, "connect-2");
  }

  /**
   * It receives everything and sends nothing: its heartbeats are lost, and the group continues
   * without it.
   */
  @Test
  @Tag("docker-share")
  void workerThatIsNotHeardDoublesNothing(DockerStack stack) {
    block(stack, "connect-2", Way.OUT);
  }

  /** It sends everything and receives nothing, not even the acknowledgements of its writes. */
  @Test
  void workerThatDoesNotHearDoublesNothing(DockerStack stack) {
    block(stack, "connect-2", Way.IN);
  }

  @Test
  @Tag("docker-share")
  void nameNodeCutOffFromTheNetworkIsWaitedOut(DockerStack stack) {
    cutOff(stack, "name-node");
  }

  /** The name node executes renames and creations, but its answers are lost. */
  @Test
  void nameNodeThatIsNotHeardIsWaitedOut(DockerStack stack) {
    block(stack, "name-node", Way.OUT);
  }

  @Test
  void nameNodeThatDoesNotHearIsWaitedOut(DockerStack stack) {
    block(stack, "name-node", Way.IN);
  }

  @Test
  void dataNodeCutOffFromTheNetworkIsWaitedOut(DockerStack stack) {
    cutOff(stack, "data-node-2");
  }

  @Test
  void dataNodeThatIsNotHeardIsWaitedOut(DockerStack stack) {
    block(stack, "data-node-2", Way.OUT);
  }

  @Test
  void dataNodeThatDoesNotHearIsWaitedOut(DockerStack stack) {
    block(stack, "data-node-2", Way.IN);
  }

  @Test
  void metastoreCutOffFromTheNetworkIsWaitedOut(DockerStack stack) {
    cutOff(stack, "metastore");
  }

  @Test
  void metastoreThatIsNotHeardIsWaitedOut(DockerStack stack) {
    block(stack, "metastore", Way.OUT);
  }

  @Test
  void metastoreThatDoesNotHearIsWaitedOut(DockerStack stack) {
    block(stack, "metastore", Way.IN);
  }

  private static void cutOff(DockerStack stack, String service) {
    StackContainer container = stack.container(service);
    try (DockerScenario scenario = DockerScenario.begin(stack, service + "-cut-off")) {
      container.disconnect();
      lasts(scenario, service);
      scenario.endsWith(container::connect);
      recovers(scenario, service);
    }
  }

  private static void block(DockerStack stack, String service, Way way) {
    StackContainer container = stack.container(service);
    String name = service + (way == Way.IN ? "-does-not-hear" : "-is-not-heard");
    try (DockerScenario scenario = DockerScenario.begin(stack, name)) {
      container.block(way);
      try {
        lasts(scenario, service);
      } finally {
        scenario.endsWith(() -> container.unblock(way));
      }
      recovers(scenario, service);
    }
  }

  /** Another worker takes over its topic-partitions meanwhile. */
  private static void lasts(DockerScenario scenario, String service) {
    if (DockerStack.WORKERS.contains(service)) {
      scenario.progresses();
    }
    scenario.lasts(LASTS);
  }

  private static void recovers(DockerScenario scenario, String service) {
    scenario.recovers();
    if (DockerStack.WORKERS.contains(service)) {
      scenario.staysSo();
    }
  }
}
