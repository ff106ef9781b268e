package io.tidemark.stack;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Uuid;

/**
 * A Kafka broker that is its own controller. It makes no topics by itself and keeps all records.
 */
public final class KafkaBroker extends StackService {

  private static final String NAME = "kafka";
  private static final int HEAP_MEGABYTES = 640;
  private static final int ANSWER_MS = 3_000;

  private final StackFiles files;
  private final Watchdog watchdog;
  private final String classPath;
  private final Path properties;
  private final int port = FreePorts.next();
  private final String bootstrapServers = "localhost:" + port;
  private final List<String> jvmOptions;
  private final ServerProcess process;

  KafkaBroker(
      InstalledServers servers,
      StackFiles files,
      Watchdog watchdog,
      Map<String, String> moreProperties) {
    this.files = files;
    this.watchdog = watchdog;
    classPath = servers.classPath("kafka");
    Map<String, String> settings = settings(bootstrapServers, files.data(NAME).resolve("log"));
    settings.putAll(moreProperties);
    properties = files.writeProperties(NAME, "server.properties", settings);
    jvmOptions = List.of(LoggingConfig.log4j2(files, NAME));
    process =
        new ServerProcess(
            NAME,
            new JavaCommand(
                classPath,
                "kafka.Kafka",
                HEAP_MEGABYTES,
                jvmOptions,
                List.of(properties.toString())),
            files,
            this::problem,
            watchdog);
  }

  private static Map<String, String> settings(String listener, Path logDirectory) {
    String controller = "localhost:" + FreePorts.next();
    Map<String, String> settings = new HashMap<>();
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", "1");
    settings.put("controller.quorum.voters", "1@" + controller);
    settings.put("controller.listener.names", "CONTROLLER");
    settings.put("listeners", "PLAINTEXT://" + listener + ",CONTROLLER://" + controller);
    settings.put("log.dirs", logDirectory.toString());
    settings.put("auto.create.topics.enable", "false");
    settings.put("log.retention.ms", "-1");
    settings.put("log.cleaner.dedupe.buffer.size", "16777216");
    settings.put("group.initial.rebalance.delay.ms", "0");
    settings.put("offsets.topic.replication.factor", "1");
    settings.put("offsets.topic.num.partitions", "5");
    settings.put("transaction.state.log.replication.factor", "1");
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("transaction.state.log.num.partitions", "5");
    settings.put("share.coordinator.state.topic.replication.factor", "1");
    settings.put("share.coordinator.state.topic.min.isr", "1");
    return settings;
  }

  @Override
  void prepare() {
    Tool.run(
        NAME,
        new JavaCommand(
            classPath,
            "kafka.tools.StorageTool",
            256,
            jvmOptions,
            List.of("format", "-t", Uuid.randomUuid().toString(), "-c", properties.toString())),
        Map.of(),
        files,
        watchdog);
  }

  @Override
  void start() {
    process.start();
  }

  /** Where clients connect to. Example: {@code localhost:23456}. */
  public String bootstrapServers() {
    return bootstrapServers;
  }

  public ServerProcess process() {
    return process;
  }

  @Override
  List<ServerProcess> processes() {
    return List.of(process);
  }

  /** An administration client, to be closed by the caller. */
  public Admin admin() {
    return Admin.create(
        Map.of(
            AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrapServers,
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            30_000));
  }

  private Optional<String> problem() {
    // The client logs a warning for each attempt to reach a port where nobody listens yet.
    if (FreePorts.isFree(port)) {
      return Optional.of("nobody listens on port " + port);
    }
    Map<String, Object> client =
        Map.of(
            AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
            AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, ANSWER_MS,
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ANSWER_MS);
    try (Admin admin = Admin.create(client)) {
      int nodes = admin.describeCluster().nodes().get(ANSWER_MS, TimeUnit.MILLISECONDS).size();
      return nodes == 1 ? Optional.empty() : Optional.of("the cluster has " + nodes + " nodes");
    } catch (ExecutionException | TimeoutException e) {
      return Optional.of("describeCluster at " + bootstrapServers + " failed: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("interrupted");
    }
  }
}
