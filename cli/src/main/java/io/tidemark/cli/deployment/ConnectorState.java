package io.tidemark.cli.deployment;

import java.util.List;

/**
 * The state of a connector, as Connect reports it.
 *
 * @param connector examples: {@code RUNNING}, {@code PAUSED}
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
