package io.tidemark.stack;

import io.tidemark.stack.release.KafkaRelease;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/** One broker of a {@link KafkaCluster}. */
public final class KafkaBroker {

  private static final int TOOL_HEAP_MEGABYTES = 256;
  private static final int ANSWER_MS = 3_000;

  private final int id;
  private final int port;
  private final String address;
  private final StackFiles files;
  private final Watchdog watchdog;
  private final KafkaSettings settings;
  private final String classPath;
  private final Path properties;
  private final List<String> loggingOptions;
  private final ServerProcess process;

  KafkaBroker(
      int id,
      InstalledServers servers,
      StackFiles files,
      Watchdog watchdog,
      KafkaRelease release,
      KafkaSettings settings) {
    this.id = id;
    this.files = files;
    this.watchdog = watchdog;
    this.settings = settings;
    port = settings.port(id);
    address = settings.address(id);
    classPath = servers.classPath(release.folder());
    String name = settings.name(id);
    properties =
        files.writeProperties(
            name, "server.properties", settings.properties(id, files.data(name).resolve("log")));
    loggingOptions = LoggingConfig.either(files, name);
    process =
        new ServerProcess(
            name,
            new JavaCommand(
                classPath,
                "kafka.Kafka",
                settings.heapMegabytes(),
                Stream.concat(loggingOptions.stream(), settings.jvmOptions().stream()).toList(),
                List.of(properties.toString())),
            files,
            this::problem,
            watchdog);
  }

  /** Formats the broker's directory for a cluster. */
  void format(String clusterId) {
    Tool.run(
        process.name(),
        new JavaCommand(
            classPath,
            "kafka.tools.StorageTool",
            TOOL_HEAP_MEGABYTES,
            Stream.concat(loggingOptions.stream(), Stream.of(JavaCommand.FIRST_COMPILER)).toList(),
            List.of("format", "-t", clusterId, "-c", properties.toString())),
        files,
        watchdog);
  }

  /** Returns the broker's id in the cluster, from 1. */
  public int id() {
    return id;
  }

  public ServerProcess process() {
    return process;
  }

  /** Kills the broker as a loss of power would. */
  public void kill() {
    process.kill();
  }

  /** Stops the broker; returns when it has ended. */
  public void stop() {
    process.stop();
  }

  /** Restarts the broker with the same port and data, and returns when it answers. */
  public void start() {
    process.start();
  }

  private Optional<String> problem() {
    // Avoid the client's warning for each attempt to reach a port that is not open yet.
    if (FreePorts.isFree(port)) {
      return Optional.of("nothing listens on port " + port);
    }
    Map<String, Object> client = new HashMap<>(settings.client());
    client.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, address);
    client.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, ANSWER_MS);
    client.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ANSWER_MS);
    try (Admin admin = Admin.create(client)) {
      return admin.describeCluster().nodes().get(ANSWER_MS, TimeUnit.MILLISECONDS).stream()
              .anyMatch(node -> node.id() == id)
          ? Optional.empty()
          : Optional.of("the cluster does not list the broker " + id);
    } catch (ExecutionException | TimeoutException e) {
      return Optional.of("describeCluster at " + address + " failed: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("interrupted");
    }
  }
}
