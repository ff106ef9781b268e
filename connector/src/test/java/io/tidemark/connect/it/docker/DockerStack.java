package io.tidemark.connect.it.docker;

import io.tidemark.connect.it.stack.TestCluster;
import io.tidemark.stack.ConnectClient;
import io.tidemark.stack.FreePorts;
import io.tidemark.stack.HiveClient;
import io.tidemark.stack.Polling;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.testcontainers.containers.ComposeContainer;
import org.testcontainers.containers.wait.strategy.Wait;

/**
 * The containers of {@code docker/compose.yaml}, with three brokers, three data nodes with small
 * disks, and ports of their own. Used by one test at a time.
 */
final class DockerStack implements AutoCloseable {

  static final List<String> BROKERS = List.of("kafka", "kafka-2", "kafka-3");
  static final List<String> DATA_NODES = List.of("data-node", "data-node-2", "data-node-3");
  static final List<String> WORKERS = List.of("connect", "connect-2");

  private static final List<String> OTHERS =
      List.of(
          "schema-registry",
          "schema-repo",
          "name-node",
          "metastore-db",
          "metastore",
          "hive-server");

  private static final Duration START = Duration.ofMinutes(8);
  private static final Path DOCKER = Path.of("..", "docker");

  private final ComposeContainer compose;
  private final Map<String, Integer> ports;
  private final Map<String, StackContainer> containers = new LinkedHashMap<>();
  private final StackContainer keeper;
  private final TestCluster cluster;
  private final HiveClient hive;

  private DockerStack(ComposeContainer compose, Map<String, Integer> ports) {
    this.compose = compose;
    this.ports = ports;
    for (List<String> services : List.of(BROKERS, DATA_NODES, WORKERS, OTHERS)) {
      for (String service : services) {
        containers.put(
            service,
            new StackContainer(
                service, compose.getContainerByServiceName(instance(service)).orElseThrow()));
      }
    }
    this.keeper =
        new StackContainer(
            "disk-keeper",
            compose.getContainerByServiceName(instance("disk-keeper")).orElseThrow());
    this.cluster =
        new TestCluster(
            Map.of(
                "bootstrap.servers",
                "localhost:%d,localhost:%d,localhost:%d"
                    .formatted(port("KAFKA_PORT"), port("KAFKA_2_PORT"), port("KAFKA_3_PORT"))),
            "http://localhost:" + port("SCHEMA_REGISTRY_PORT") + "/apis/ccompat/v7");
    this.hive = HiveClient.of("jdbc:hive2://localhost:" + port("HIVE_SERVER_PORT") + "/default");
  }

  /**
   * Starts all containers from the images that the build has made, and waits until they are
   * healthy.
   */
  static DockerStack start() {
    Map<String, Integer> ports = new HashMap<>();
    for (String name :
        List.of(
            "KAFKA_PORT",
            "KAFKA_2_PORT",
            "KAFKA_3_PORT",
            "CONNECT_PORT",
            "CONNECT_2_PORT",
            "SCHEMA_REGISTRY_PORT",
            "SCHEMA_REPO_PORT",
            "NAME_NODE_HTTP_PORT",
            "METASTORE_PORT",
            "HIVE_SERVER_PORT")) {
      ports.put(name, FreePorts.next());
    }
    @SuppressWarnings("resource") // The stack closes it.
    ComposeContainer compose =
        new ComposeContainer(
                "tidemark-test",
                DOCKER.resolve("compose.yaml").toFile(),
                Path.of("src", "test", "docker", "small-disks.yaml").toFile())
            .withEnv("COMPOSE_PROFILES", "three")
            .withEnv("REPLICAS", "3")
            .withEnv("MIN_INSYNC_REPLICAS", "2")
            .withEnv("KAFKA_VOTERS", "1@kafka:9093,2@kafka-2:9093,3@kafka-3:9093")
            .withEnv("KAFKA_BOOTSTRAP", "kafka:9092,kafka-2:9092,kafka-3:9092")
            .withPull(false)
            .withStartupTimeout(START);
    ports.forEach((name, port) -> compose.withEnv(name, Integer.toString(port)));
    for (List<String> services : List.of(BROKERS, DATA_NODES, WORKERS, OTHERS)) {
      services.forEach(
          service ->
              compose.waitingFor(
                  instance(service), Wait.forHealthcheck().withStartupTimeout(START)));
    }
    compose.start();
    return new DockerStack(compose, ports);
  }

  /** Compose numbers the containers of a service; a service's own name may end with a number. */
  private static String instance(String service) {
    return service + "-1";
  }

  private int port(String name) {
    return ports.getOrDefault(name, 0);
  }

  StackContainer container(String service) {
    StackContainer container = containers.get(service);
    if (container == null) {
      throw new IllegalArgumentException(service + " is none of " + containers.keySet());
    }
    return container;
  }

  TestCluster cluster() {
    return cluster;
  }

  HiveClient hive() {
    return hive;
  }

  /** The REST API of a running worker. Both workers give the same answers. */
  ConnectClient connect() {
    String port = container("connect").isRunning() ? "CONNECT_PORT" : "CONNECT_2_PORT";
    return new ConnectClient(URI.create("http://localhost:" + port(port)));
  }

  /** Writes a file until the disk of a service is full. */
  void fillDisk(String service) {
    String end = keeper.run("dd", "if=/dev/zero", "of=" + filling(service), "bs=64K").getStderr();
    if (!end.contains("No space left on device")) {
      throw new IllegalStateException("the disk of " + service + " is not full: " + end);
    }
  }

  /** Waits until a data node is in the middle of a block. */
  void awaitBlockBeingWritten(String dataNode) {
    Polling.until(
        dataNode + " writes a block",
        Duration.ofMinutes(1),
        () ->
            keeper.run("find", "/disks/" + dataNode, "-path", "*/rbw/blk_*").getStdout().isEmpty()
                ? Optional.of("no block is being written")
                : Optional.empty());
  }

  void freeDisk(String service) {
    if (keeper.run("rm", "-f", filling(service)).getExitCode() != 0) {
      throw new IllegalStateException("the disk of " + service + " is still full");
    }
  }

  private static String filling(String service) {
    return "/disks/" + service + "/filling";
  }

  /** Restores every container that a test has stopped, paused or disconnected. */
  void mend() {
    for (StackContainer container : containers.values()) {
      container.connect();
      container.start();
    }
  }

  @Override
  public void close() {
    cluster.close();
    compose.stop();
  }
}
