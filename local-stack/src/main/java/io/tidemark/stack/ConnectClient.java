package io.tidemark.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * A client of the REST API of a Connect worker.
 *
 * <p>Each call waits while the group rebalances (409), up to a minute. A refusal is a {@link
 * ConnectRequestException}.
 */
public final class ConnectClient {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration ANSWER = Duration.ofSeconds(90);
  private static final Duration REBALANCE = Duration.ofMinutes(1);

  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private final URI worker;

  public ConnectClient(URI worker) {
    this.worker = worker;
  }

  /** Returns the classes of the connectors that the worker has found on its plugin path. */
  public List<String> connectorPlugins() {
    List<String> classes = new ArrayList<>();
    for (JsonNode plugin : get("/connector-plugins")) {
      classes.add(plugin.path("class").asText());
    }
    return classes;
  }

  /** Returns the versions of a connector that the worker that answers has found. */
  public List<String> versions(String connectorClass) {
    List<String> versions = new ArrayList<>();
    for (JsonNode plugin : get("/connector-plugins")) {
      if (plugin.path("class").asText().equals(connectorClass)) {
        versions.add(plugin.path("version").asText());
      }
    }
    return versions;
  }

  /** Returns all keys that the worker and the connector define, set in the configuration or not. */
  public Set<String> keys(Map<String, String> config) {
    Set<String> keys = new LinkedHashSet<>();
    validation(config).forEach(item -> keys.add(item.path("value").path("name").asText()));
    return keys;
  }

  /** Returns all errors that validation finds in a configuration, by key; empty if it is valid. */
  public Map<String, List<String>> validate(Map<String, String> config) {
    Map<String, List<String>> errors = new LinkedHashMap<>();
    for (JsonNode item : validation(config)) {
      List<String> messages = new ArrayList<>();
      item.path("value").path("errors").forEach(error -> messages.add(error.asText()));
      if (!messages.isEmpty()) {
        errors.put(item.path("value").path("name").asText(), messages);
      }
    }
    return errors;
  }

  private JsonNode validation(Map<String, String> config) {
    String connectorClass = config.get("connector.class");
    if (connectorClass == null) {
      throw new IllegalArgumentException("connector.class is missing in " + config.keySet());
    }
    return put("/connector-plugins/" + connectorClass + "/config/validate", config).path("configs");
  }

  /** Creates the connector, or replaces its configuration. */
  public void configure(String connector, Map<String, String> config) {
    put("/connectors/" + connector + "/config", config);
  }

  /**
   * Creates a connector, which must not exist, in a given state.
   *
   * @param state RUNNING, PAUSED or STOPPED
   */
  public void create(String connector, Map<String, String> config, String state) {
    ObjectNode body = JSON.createObjectNode().put("name", connector).put("initial_state", state);
    body.set("config", JSON.valueToTree(config));
    send("POST", "/connectors", Optional.of(body.toString()));
  }

  /** Returns the connector's status; empty if it does not exist, yet or any more. */
  public Optional<ConnectorStatus> status(String connector) {
    return find("/connectors/" + connector + "/status").map(ConnectorStatus::of);
  }

  /**
   * Waits until the connector and all its configured tasks run.
   *
   * @throws ServerFailedException if one of them fails, with its stack trace, or if the deadline
   *     passes
   */
  public ConnectorStatus awaitRunning(String connector, Duration deadline) {
    List<ConnectorStatus> running = new ArrayList<>();
    Polling.until(
        connector + " runs",
        deadline,
        () -> {
          Optional<ConnectorStatus> status = status(connector);
          status
              .flatMap(ConnectorStatus::failure)
              .ifPresent(
                  failure -> {
                    throw new ServerFailedException(failure);
                  });
          if (status.filter(ConnectorStatus::isRunning).isEmpty()) {
            return Optional.of("the status is " + status);
          }
          // A task that no worker has started yet has no status.
          Optional<Integer> tasks =
              find("/connectors/" + connector).map(found -> found.path("tasks").size());
          if (tasks.filter(toRun -> toRun <= status.get().tasks().size()).isEmpty()) {
            return Optional.of("the number of its tasks is %s, %s".formatted(tasks, status));
          }
          running.add(status.get());
          return Optional.empty();
        });
    return running.get(0);
  }

  /** Returns the stack trace of the first failure of the connector or of one of its tasks. */
  public String awaitFailure(String connector, Duration deadline) {
    List<String> failures = new ArrayList<>();
    Polling.until(
        connector + " fails",
        deadline,
        () -> {
          Optional<ConnectorStatus> status = status(connector);
          status.flatMap(ConnectorStatus::failure).ifPresent(failures::add);
          return failures.isEmpty() ? Optional.of("the status is " + status) : Optional.empty();
        });
    return failures.get(0);
  }

  /** Stops consuming and keeps the tasks. */
  public void pause(String connector) {
    send("PUT", "/connectors/" + connector + "/pause", Optional.empty());
  }

  /** Ends the tasks and keeps the configuration. */
  public void stop(String connector) {
    send("PUT", "/connectors/" + connector + "/stop", Optional.empty());
  }

  public void resume(String connector) {
    send("PUT", "/connectors/" + connector + "/resume", Optional.empty());
  }

  /** Restarts the connector and all its tasks, failed or not. */
  public void restart(String connector) {
    send("POST", "/connectors/" + connector + "/restart?includeTasks=true", Optional.empty());
  }

  /** Restarts the connector and its tasks, as far as they have failed. */
  public void restartFailed(String connector) {
    send(
        "POST",
        "/connectors/" + connector + "/restart?includeTasks=true&onlyFailed=true",
        Optional.empty());
  }

  /** Restarts one task, failed or not. */
  public void restartTask(String connector, int task) {
    send("POST", "/connectors/" + connector + "/tasks/" + task + "/restart", Optional.empty());
  }

  /** Deletes the connector; the offsets of its consumer group remain. */
  public void delete(String connector) {
    send("DELETE", "/connectors/" + connector, Optional.empty());
  }

  /**
   * Sets the offsets of the connector, which must be stopped.
   *
   * @throws ConnectRequestException if the connector refuses it, with its reason
   */
  public void alterOffsets(String connector, Map<TopicPartition, Long> offsets) {
    ObjectNode body = JSON.createObjectNode();
    ArrayNode list = body.putArray("offsets");
    offsets.forEach(
        (topicPartition, offset) -> {
          ObjectNode item = list.addObject();
          item.putObject("partition")
              .put("kafka_topic", topicPartition.topic())
              .put("kafka_partition", topicPartition.partition());
          item.putObject("offset").put("kafka_offset", offset);
        });
    alterOffsets(connector, body.toString());
  }

  /**
   * As {@link #alterOffsets(String, Map)}, with any request.
   *
   * @param body the request. Example: <code>{"offsets": []}</code>
   */
  public void alterOffsets(String connector, String body) {
    send("PATCH", "/connectors/" + connector + "/offsets", Optional.of(body));
  }

  /**
   * Resets the offsets of the connector, which must be stopped.
   *
   * @throws ConnectRequestException if the connector refuses it, with its reason
   */
  public void resetOffsets(String connector) {
    send("DELETE", "/connectors/" + connector + "/offsets", Optional.empty());
  }

  /** Returns the offsets of the connector's consumer group, by topic-partition. */
  public Map<TopicPartition, Long> offsets(String connector) {
    Map<TopicPartition, Long> offsets = new LinkedHashMap<>();
    for (JsonNode item : get("/connectors/" + connector + "/offsets").path("offsets")) {
      JsonNode partition = item.path("partition");
      offsets.put(
          new TopicPartition(
              partition.path("kafka_topic").asText(), partition.path("kafka_partition").asInt()),
          item.path("offset").path("kafka_offset").asLong());
    }
    return offsets;
  }

  /** Returns the response to any GET. Example: {@code get("/connectors/orders/offsets")}. */
  public JsonNode get(String path) {
    return send("GET", path, Optional.empty());
  }

  /** Returns the response to a GET; empty if the worker answers 404. */
  private Optional<JsonNode> find(String path) {
    try {
      return Optional.of(get(path));
    } catch (ConnectRequestException e) {
      if (e.status() == 404) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private JsonNode put(String path, Map<String, String> body) {
    try {
      return send("PUT", path, Optional.of(JSON.writeValueAsString(body)));
    } catch (IOException e) {
      throw new UncheckedIOException("the configuration cannot be written as JSON", e);
    }
  }

  private JsonNode send(String method, String path, Optional<String> body) {
    HttpRequest request =
        HttpRequest.newBuilder(worker.resolve(path))
            .timeout(ANSWER)
            .header("Content-Type", "application/json")
            .method(
                method,
                body.map(HttpRequest.BodyPublishers::ofString)
                    .orElseGet(HttpRequest.BodyPublishers::noBody))
            .build();
    long end = System.nanoTime() + REBALANCE.toNanos();
    while (true) {
      HttpResponse<String> response = exchange(request);
      int status = response.statusCode();
      if (status < 300) {
        return parsed(response.body());
      }
      // Some requests are answered so with a 500.
      boolean rebalancing =
          status == 409 || (status == 500 && response.body().contains("a rebalance is expected"));
      if (!rebalancing || System.nanoTime() > end) {
        throw new ConnectRequestException(method + " " + request.uri(), status, response.body());
      }
      Polling.pause(method + " " + request.uri());
    }
  }

  /** A GET is sent again when its time is over: one was seen to wait while others had answers. */
  private HttpResponse<String> exchange(HttpRequest request) {
    try {
      try {
        return client.send(request, HttpResponse.BodyHandlers.ofString());
      } catch (HttpTimeoutException e) {
        if (!request.method().equals("GET")) {
          throw e;
        }
        return client.send(request, HttpResponse.BodyHandlers.ofString());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(request.method() + " " + request.uri() + " failed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerFailedException(request.method() + " " + request.uri() + ": interrupted", e);
    }
  }

  private static JsonNode parsed(String body) {
    try {
      return JSON.readTree(body);
    } catch (IOException e) {
      throw new UncheckedIOException("a worker's response is not JSON: " + body, e);
    }
  }
}
