package io.tidemark.connect.it;

import io.tidemark.stack.ConnectWorker;
import io.tidemark.stack.ConnectorStatus;
import io.tidemark.stack.Polling;
import io.tidemark.stack.ProcessBeans;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A connector that a test has deployed. */
final class Deployment {

  private final RealStack stack;
  private ConnectorSettings settings;

  Deployment(RealStack stack, ConnectorSettings settings) {
    this.stack = stack;
    this.settings = settings;
  }

  String name() {
    return settings.name();
  }

  /** Gives the connector another configuration, and waits until it runs with it. */
  void configure(ConnectorSettings changed) {
    settings = changed;
    stack.connect().configure(name(), changed.on(stack));
    awaitRunning();
  }

  Optional<ConnectorStatus> status() {
    return stack.connect().status(name());
  }

  ConnectorStatus awaitRunning() {
    return stack.connect().awaitRunning(name(), RealStack.DEADLINE);
  }

  /** The trace of the first task that fails. */
  String awaitFailure() {
    return stack.connect().awaitFailure(name(), RealStack.DEADLINE);
  }

  /** Ends the tasks, and returns when they have ended. */
  void stop() {
    stack.connect().stop(name());
    Polling.until(
        name() + " is stopped",
        RealStack.DEADLINE,
        () -> {
          Optional<ConnectorStatus> status = status();
          return status.filter(s -> s.state().equals("STOPPED") && s.tasks().isEmpty()).isPresent()
              ? Optional.empty()
              : Optional.of("the status is " + status);
        });
  }

  void resume() {
    stack.connect().resume(name());
    awaitRunning();
  }

  /** Deletes the connector, if Connect has taken it in. */
  void delete() {
    if (status().isPresent()) {
      stack.connect().delete(name());
    }
  }

  LandedTable table(SourceTopic topic) {
    return new LandedTable(stack, topic);
  }

  LandedLog log(SourceTopic topic) {
    return new LandedLog(stack, name(), topic);
  }

  /**
   * Returns when all that was produced is in the log, published and registered, and nothing staged
   * is left; fails at once when a task fails.
   */
  void awaitLanded() {
    Polling.until(
        name() + " has landed everything",
        RealStack.DEADLINE,
        () -> {
          status()
              .flatMap(ConnectorStatus::failure)
              .ifPresent(
                  failure -> {
                    throw new AssertionError(failure);
                  });
          return settings.topics().stream().flatMap(topic -> notLanded(topic).stream()).findFirst();
        });
  }

  private Optional<String> notLanded(SourceTopic topic) {
    return log(topic)
        .shortfall()
        .or(() -> table(topic).unpublished(log(topic)))
        .or(() -> table(topic).unregistered());
  }

  /** A metric of the connector's tasks, on whatever worker they run. */
  List<Double> metric(String type, String attribute) throws IOException {
    List<Double> values = new ArrayList<>();
    for (ConnectWorker worker : stack.services().connect().workers()) {
      if (worker.process().isAlive()) {
        try (ProcessBeans beans = worker.process().beans()) {
          values.addAll(
              beans.read("kafka.connect:type=" + type + ",connector=" + name() + ",*", attribute));
        }
      }
    }
    return values;
  }
}
