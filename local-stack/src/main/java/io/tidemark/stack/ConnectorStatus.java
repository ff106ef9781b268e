package io.tidemark.stack;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What Connect says of a connector and its tasks.
 *
 * @param state RUNNING, FAILED, PAUSED, STOPPED, UNASSIGNED or RESTARTING
 * @param trace the stack trace of a connector that failed, else empty
 * @param tasks in the order of their ids
 */
public record ConnectorStatus(String name, String state, String trace, List<Task> tasks) {

  public ConnectorStatus {
    tasks = List.copyOf(tasks);
  }

  /**
   * What Connect says of a task.
   *
   * @param worker host and port of the worker that runs it
   * @param trace the stack trace of a task that failed, else empty
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

  /** Whether the connector and at least one task run, and all tasks. */
  public boolean isRunning() {
    return state.equals("RUNNING") && tasksAreRunning();
  }

  /** Whether at least one task runs, and all tasks. */
  public boolean tasksAreRunning() {
    return !tasks.isEmpty() && tasks.stream().allMatch(task -> task.state().equals("RUNNING"));
  }

  /** The stack trace of what has failed, be it the connector or a task. */
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
