package io.tidemark.cli.deployment;

import java.util.List;

/**
 * What Connect says of a connector.
 *
 * @param connector its state. Examples: {@code RUNNING}, {@code PAUSED}; {@code UNKNOWN} where
 *     Connect did not answer
 * @param failedTasks the numbers of its tasks that have failed
 */
public record ConnectorState(String connector, List<Integer> failedTasks) {
  /** Connect did not answer. */
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
