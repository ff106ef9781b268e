package io.tidemark.cli.deployment;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The state of a connector, as Connect reports it.
 *
 * @param connector examples: {@code RUNNING}, {@code PAUSED}
 * @param tasks the state of each task, by its number
 */
public record ConnectorState(String connector, SortedMap<Integer, String> tasks) {
  /** The state if Connect did not answer. */
  public static final ConnectorState UNKNOWN = new ConnectorState("UNKNOWN", new TreeMap<>());

  public ConnectorState {
    tasks = new TreeMap<>(tasks);
  }

  public List<Integer> failedTasks() {
    return tasks.entrySet().stream()
        .filter(task -> task.getValue().equals("FAILED"))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Returns whether a task has its topic-partitions, as far as Connect says. */
  public boolean lives(int task) {
    return !known() || List.of("RUNNING", "PAUSED").contains(tasks.getOrDefault(task, "gone"));
  }

  public boolean running() {
    return connector.equals("RUNNING");
  }

  public boolean known() {
    return !equals(UNKNOWN);
  }
}
