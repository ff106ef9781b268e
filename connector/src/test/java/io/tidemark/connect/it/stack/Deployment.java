package io.tidemark.connect.it.stack;

import io.tidemark.connect.it.landed.LandedLog;
import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.stack.ConnectClient;
import io.tidemark.stack.ConnectRequestException;
import io.tidemark.stack.ConnectWorker;
import io.tidemark.stack.ConnectorStatus;
import io.tidemark.stack.Polling;
import io.tidemark.stack.ProcessBeans;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A connector that a test has deployed. */
public final class Deployment {

  /** Example: {@code operator.consent=6f1c…}. */
  private static final Pattern STEP = Pattern.compile("operator\\.consent=([0-9a-f-]{36})");

  private final RealStack stack;
  private ConnectorSettings settings;

  Deployment(RealStack stack, ConnectorSettings settings) {
    this.stack = stack;
    this.settings = settings;
  }

  /** Its settings as they are now. */
  public ConnectorSettings settings() {
    return settings;
  }

  public String name() {
    return settings.name();
  }

  /** Creates the connector, which must not exist, and waits until it has this state. */
  public void create(String state) {
    stack.connect().create(name(), settings.on(stack), state);
    if (state.equals("RUNNING")) {
      awaitRunning();
    } else {
      // It has no tasks before it has run.
      awaitState(state, 0);
    }
  }

  /** Changes the configuration of the connector, and waits until it runs with it. */
  public void configure(ConnectorSettings changed) {
    settings = changed;
    put();
    awaitRunning();
  }

  /**
   * Sends the configuration to Connect. On a busy machine the services may not answer the worker in
   * time, and the worker reports this. Then it is sent again.
   */
  void put() {
    Polling.until(
        name() + " is configured",
        RealStack.DEADLINE,
        () -> {
          try {
            stack.connect().configure(name(), settings.on(stack));
            return Optional.empty();
          } catch (ConnectRequestException e) {
            String refused = String.valueOf(e.getMessage());
            if (!refused.contains("did not answer within")) {
              throw e;
            }
            return Optional.of(refused);
          }
        });
  }

  /** Changes the configuration of a failed connector, and starts it. */
  public void configureStopped(ConnectorSettings changed) {
    stop();
    settings = changed;
    put();
    stack.connect().resume(name());
  }

  /** Consents to the step that an error offers, and waits until the connector runs again. */
  public void consent(String error) {
    Matcher step = STEP.matcher(error);
    if (!step.find()) {
      throw new AssertionError("no step of an operator in: " + error);
    }
    configureStopped(settings.with("operator.consent", step.group(1)));
    awaitRunning();
  }

  /** The REST API of the workers that the connector runs on. */
  public ConnectClient connect() {
    return stack.connect();
  }

  public Optional<ConnectorStatus> status() {
    return stack.connect().status(name());
  }

  public ConnectorStatus awaitRunning() {
    return stack.connect().awaitRunning(name(), RealStack.DEADLINE);
  }

  /** The stack trace of the first task that fails. */
  public String awaitFailure() {
    return stack.connect().awaitFailure(name(), RealStack.DEADLINE);
  }

  /** Returns when the tasks accept no more records. */
  public void pause() {
    int tasks = awaitRunning().tasks().size();
    stack.connect().pause(name());
    awaitState("PAUSED", tasks);
  }

  /** Stops the tasks, and returns when they have ended. */
  public void stop() {
    stack.connect().stop(name());
    awaitState("STOPPED", 0);
  }

  private void awaitState(String state, int tasks) {
    Polling.until(
        name() + " is " + state,
        RealStack.DEADLINE,
        () -> {
          Optional<ConnectorStatus> status = status();
          return status
                  .filter(
                      now ->
                          now.state().equals(state)
                              && now.tasks().size() == tasks
                              && now.tasks().stream().allMatch(t -> t.state().equals(state)))
                  .isPresent()
              ? Optional.empty()
              : Optional.of("the status is " + status);
        });
  }

  public void resume() {
    stack.connect().resume(name());
    awaitRunning();
  }

  /** Deletes the connector, if Connect has accepted it. */
  public void delete() {
    if (status().isPresent()) {
      stack.connect().delete(name());
    }
  }

  /** Deletes the connector, and returns when Connect no longer has it. */
  public void deleteAndAwait() {
    delete();
    Polling.until(
        name() + " is deleted",
        RealStack.DEADLINE,
        () -> status().map(status -> "the status is " + status));
  }

  /**
   * Waits until all produced records have landed. Then checks that the rows of each topic are the
   * produced ones, each once, and that its log accounts for every offset.
   */
  public void landsExactly() {
    awaitLanded();
    for (SourceTopic topic : settings.topics()) {
      table(topic).assertHoldsExactly(topic.produced());
      log(topic)
          .unaccounted(topic::end)
          .ifPresent(
              missing -> {
                throw new AssertionError(missing);
              });
    }
  }

  public LandedTable table(SourceTopic topic) {
    return new LandedTable(stack.services(), topic.name());
  }

  public LandedLog log(SourceTopic topic) {
    return new LandedLog(stack.services(), name(), topic.name(), topic.topicPartitions());
  }

  /** The connector's statements of completeness. */
  public StatedCompleteness stated() {
    return new StatedCompleteness(stack, name());
  }

  /**
   * Returns when all produced records are in the log, published and registered, and no staged file
   * is left. Fails immediately if a task fails.
   */
  public void awaitLanded() {
    Polling.until(name() + " has landed everything", RealStack.DEADLINE, this::notLanded);
  }

  /**
   * The produced records that are not in the log, published and registered, or are still staged.
   *
   * @throws AssertionError if a task has failed
   */
  public Optional<String> notLanded() {
    requireNoFailure();
    return settings.topics().stream().flatMap(topic -> notLanded(topic).stream()).findFirst();
  }

  /**
   * Returns if nothing of the connector has failed.
   *
   * @throws AssertionError if a task has failed
   */
  public void requireNoFailure() {
    status()
        .flatMap(ConnectorStatus::failure)
        .ifPresent(
            failure -> {
              throw new AssertionError(failure);
            });
  }

  /** Waits until exactly these workers own the topic-partitions of a topic. */
  public void awaitAssignedTo(List<ConnectWorker> workers, SourceTopic topic) {
    Set<Long> pids =
        workers.stream().map(worker -> worker.process().pid()).collect(Collectors.toSet());
    Polling.until(
        "the workers with the process ids " + pids + " hold the topic-partitions",
        RealStack.DEADLINE,
        () -> {
          Set<Long> owners = log(topic).owners();
          return owners.equals(pids) ? Optional.empty() : Optional.of(owners + " hold them");
        });
  }

  /** Waits until each task owns topic-partitions of a topic. */
  public void awaitAssignedToAllTasks(SourceTopic topic) {
    int tasks = Integer.parseInt(settings.on(stack).get("tasks.max"));
    Set<Integer> all = IntStream.range(0, tasks).boxed().collect(Collectors.toSet());
    Polling.until(
        "the tasks " + all + " of " + name() + " hold topic-partitions",
        RealStack.DEADLINE,
        () -> {
          Set<Integer> holding = log(topic).owningTasks();
          return holding.equals(all) ? Optional.empty() : Optional.of(holding + " hold them");
        });
  }

  /** The offsets of a topic that are not in its log yet. */
  public Optional<String> shortfall(SourceTopic topic) {
    LandedLog log = log(topic);
    for (int topicPartition = 0; topicPartition < topic.topicPartitions(); topicPartition++) {
      long end = topic.end(topicPartition);
      long next = log.next(topicPartition);
      if (next != end && (end > 0 || next > 0)) {
        return Optional.of(
            "the log of %s-%d stands at %d of %d"
                .formatted(topic.name(), topicPartition, next, end));
      }
    }
    return Optional.empty();
  }

  /** Does the same as {@link #notLanded()}, for one topic. */
  public Optional<String> notLanded(SourceTopic topic) {
    return shortfall(topic)
        .or(() -> table(topic).unpublished(log(topic)))
        .or(() -> table(topic).unregistered());
  }

  /** The values of an attribute of the connector's tasks, on whatever worker they run. */
  public List<String> said(String type, String attribute) throws IOException {
    List<String> values = new ArrayList<>();
    for (ConnectWorker worker : stack.services().connect().workers()) {
      if (worker.process().isAlive()) {
        try (ProcessBeans beans = worker.process().beans()) {
          values.addAll(
              beans.texts(
                  "tidemark.connect:type=" + type + ",connector=" + name() + ",*", attribute));
        }
      }
    }
    return values;
  }

  /** The lines that the workers have logged for the connector's tasks, over all their starts. */
  public List<String> logged() {
    return stack.services().connect().workers().stream()
        .flatMap(worker -> worker.process().log().text().lines())
        .filter(line -> line.contains("[" + name() + "|task-"))
        .toList();
  }

  /** The workers' log lines of any connector that contain each of these texts. */
  public List<String> loggedOf(List<String> texts) {
    return stack.services().connect().workers().stream()
        .flatMap(worker -> worker.process().log().text().lines())
        .filter(line -> texts.stream().allMatch(line::contains))
        .toList();
  }

  /** A metric of the connector's tasks, on whatever worker they run. */
  public List<Double> metric(String type, String attribute) throws IOException {
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
