package io.tidemark.connect.it.docker;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Disks without free space, until an operator frees some. */
@OnDocker
final class FullDisksIT {

  private static final Duration LASTS = Duration.ofSeconds(20);

  /** The blocks go to the other two data nodes. */
  @Test
  void fullDiskOfADataNodeIsDoneWithout(DockerStack stack) {
    try (DockerScenario scenario = DockerScenario.begin(stack, "data-node-full")) {
      stack.fillDisk("data-node-2");
      try {
        scenario.lasts(LASTS);
        scenario.progresses();
      } finally {
        scenario.endsWith(() -> stack.freeDisk("data-node-2"));
      }
      scenario.recovers();
    }
  }

  /** Nothing can be written until there is space again. */
  @Test
  void fullDisksOfAllDataNodesAreWaitedOut(DockerStack stack) {
    try (DockerScenario scenario = DockerScenario.begin(stack, "data-nodes-full")) {
      DockerStack.DATA_NODES.forEach(stack::fillDisk);
      try {
        scenario.lasts(LASTS.dividedBy(2));
        DockerStack.DATA_NODES.forEach(stack::fillDisk); // Discarded blocks have freed space.
        scenario.standsStill(LASTS.dividedBy(2));
      } finally {
        scenario.endsWith(() -> DockerStack.DATA_NODES.forEach(stack::freeDisk));
      }
      scenario.recovers();
    }
  }

  /** A broker ends when its only disk fails, and an operator restarts it. */
  @Test
  void fullDiskOfABrokerIsDoneWithout(DockerStack stack) {
    StackContainer broker = stack.container("kafka-3");
    try (DockerScenario scenario = DockerScenario.begin(stack, "broker-full")) {
      stack.fillDisk("kafka-3");
      try {
        broker.awaitEnded();
        scenario.lasts(LASTS);
        scenario.progresses();
      } finally {
        scenario.endsWith(
            () -> {
              stack.freeDisk("kafka-3");
              broker.restart();
            });
      }
      scenario.recovers();
    }
  }
}
