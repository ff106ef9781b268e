package io.tidemark.connect.it.docker;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Containers that are paused for a time, and continue in the middle of their work. */
@OnDocker
final class PausedContainersIT {

  private static final Duration LASTS = Duration.ofSeconds(20);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "connect-2",
        "name-node",
        "data-node-2",
        "metastore",
        "kafka-2",
        "schema-registry"
      })
  void pausedContainerIsWaitedOut(String service, DockerStack stack) {
    StackContainer container = stack.container(service);
    try (DockerScenario scenario = DockerScenario.begin(stack, service + "-paused")) {
      container.pause();
      try {
        scenario.lasts(LASTS);
      } finally {
        scenario.endsWith(container::unpause);
      }
      scenario.recovers();
      if (DockerStack.WORKERS.contains(service)) {
        scenario.staysSo();
      }
    }
  }

  /** The log decides, independent of the worker that wakes first. */
  @Test
  void bothWorkersPausedGoOnWhereTheyWere(DockerStack stack) {
    try (DockerScenario scenario = DockerScenario.begin(stack, "workers-paused")) {
      try {
        DockerStack.WORKERS.forEach(worker -> stack.container(worker).pause());
        scenario.lasts(LASTS);
      } finally {
        scenario.endsWith(
            () -> DockerStack.WORKERS.forEach(worker -> stack.container(worker).unpause()));
      }
      scenario.recovers();
    }
  }
}
