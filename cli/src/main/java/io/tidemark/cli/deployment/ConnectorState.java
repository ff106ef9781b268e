package io.tidemark.cli.deployment;

import java.util.List;

/**
 * The state of a connector, as Connect reports it.
 *
 * @param connector the connector's state. Examples: {@code RUNNING}, {@code PAUSED}; {@code
 *     UNKNOWN} if Connect did not answer
 * @param failedTasks the numbers of the connector's failed tasks
 */
public record ConnectorState(String connector, List<Integer> failedTasks) {
  /** The state if Connect did not answer. */
  public static final ConnectorState UNKNOWN = new ConnectorState("UNKNOWN", List.of());

  public ConnectorState {
    failedTasks = List.copyOf(failedTasks);
  }

  public boolean running() {
    return connector.equals("RUNNING");
  }

  public boolean known() {
    return !equals(UNKNOWN);
  }
}
