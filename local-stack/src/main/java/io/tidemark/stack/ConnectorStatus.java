package io.tidemark.stack;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The status of a connector and its tasks.
 *
 * @param state RUNNING, FAILED, PAUSED, STOPPED, UNASSIGNED or RESTARTING
 * @param trace the stack trace if the connector failed, otherwise empty
 * @param tasks the tasks in the order of their ids
 */
public record ConnectorStatus(String name, String state, String trace, List<Task> tasks) {

  public ConnectorStatus {
    tasks = List.copyOf(tasks);
  }

  /**
   * The status of a task.
   *
   * @param worker the host and port of its worker
   * @param trace the stack trace if the task failed, otherwise empty
   */
  public record Task(int id, String state, String worker, String trace) {}

  static ConnectorStatus of(JsonNode status) {
    List<Task> tasks = new ArrayList<>();
    for (JsonNode task : status.path("tasks")) {
      tasks.add(
          new Task(
              task.path("id").asInt(),
              task.path("state").asText(),
              task.path("worker_id").asText(),
              task.path("trace").asText()));
    }
    JsonNode connector = status.path("connector");
    return new ConnectorStatus(
        status.path("name").asText(),
        connector.path("state").asText(),
        connector.path("trace").asText(),
        tasks);
  }

  /** Returns whether the connector and all tasks run, and there is at least one task. */
  public boolean isRunning() {
    return state.equals("RUNNING") && tasksAreRunning();
  }

  /** Returns whether all tasks run, and there is at least one. */
  public boolean tasksAreRunning() {
    return !tasks.isEmpty() && tasks.stream().allMatch(task -> task.state().equals("RUNNING"));
  }

  /** Returns the first failure of the connector or of a task, with its stack trace. */
  public Optional<String> failure() {
    if (state.equals("FAILED")) {
      return Optional.of(name + " failed: " + trace);
    }
    return tasks.stream()
        .filter(task -> task.state().equals("FAILED"))
        .findFirst()
        .map(
            task -> "%s-%d on %s failed: %s".formatted(name, task.id(), task.worker(), task.trace));
  }
}
