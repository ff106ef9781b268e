package io.tidemark.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One worker of Kafka Connect, with only Kafka's own jars on its class path. */
public final class ConnectWorker {

  private final String url;
  private final ServerProcess process;

  ConnectWorker(
      String name,
      InstalledServers servers,
      StackFiles files,
      Watchdog watchdog,
      KafkaCluster kafka,
      ConnectSettings settings) {
    url = "http://localhost:" + FreePorts.next();
    Path plugins = settings.pluginPath().orElseGet(() -> emptyFolder(files.data(name)));
    Map<String, String> properties = properties(kafka, url, plugins);
    properties.putAll(settings.properties());
    Path file = files.writeProperties(name, "worker.properties", properties);
    List<String> jvmOptions = new ArrayList<>();
    // First, so that an option of the settings can name another KDC.
    kafka.security().ifPresent(security -> jvmOptions.add(security.realm().jvmOption()));
    // Connectors may write local files here.
    jvmOptions.add("-Dtidemark.local.directory=" + files.data(name));
    jvmOptions.addAll(settings.jvmOptions());
    jvmOptions.addAll(LoggingConfig.either(files, name));
    process =
        new ServerProcess(
            name,
            new JavaCommand(
                settings.java().home(),
                servers.classPath(settings.release().folder()),
                "org.apache.kafka.connect.cli.ConnectDistributed",
                settings.heapMegabytes(),
                jvmOptions,
                List.of(file.toString())),
            files,
            // The worker answers this only when it is a member of its group.
            new HttpCheck(URI.create(url + "/connectors"), body -> Optional.empty()),
            watchdog);
  }

  /** Returns the properties of a worker. Its time-outs detect a lost worker within seconds. */
  private static Map<String, String> properties(KafkaCluster kafka, String url, Path pluginPath) {
    String replicas = Integer.toString(kafka.replicas());
    String bytes = "org.apache.kafka.connect.converters.ByteArrayConverter";
    Map<String, String> properties = new HashMap<>();
    properties.put("group.id", "connect");
    properties.put("listeners", url);
    properties.put("rest.advertised.host.name", "localhost");
    properties.put("plugin.path", pluginPath.toString());
    // Find plugins by their manifests; a search of all classes takes many seconds.
    properties.put("plugin.discovery", "service_load");
    properties.put("key.converter", bytes);
    properties.put("value.converter", bytes);
    properties.put("header.converter", bytes);
    properties.put("config.storage.topic", "connect-configs");
    properties.put("config.storage.replication.factor", replicas);
    properties.put("offset.storage.topic", "connect-offsets");
    properties.put("offset.storage.replication.factor", replicas);
    properties.put("offset.storage.partitions", "5");
    properties.put("status.storage.topic", "connect-status");
    properties.put("status.storage.replication.factor", replicas);
    properties.put("status.storage.partitions", "2");
    properties.put("connector.client.config.override.policy", "All");
    properties.put("session.timeout.ms", "6000");
    properties.put("heartbeat.interval.ms", "300");
    properties.put("scheduled.rebalance.max.delay.ms", "1000");
    properties.put("consumer.session.timeout.ms", "6000");
    properties.put("consumer.heartbeat.interval.ms", "300");
    Map<String, String> login = kafka.clientSettings(SecurityOptions.CONNECT);
    for (String client : List.of("", "producer.", "consumer.", "admin.")) {
      login.forEach((key, value) -> properties.put(client + key, value));
    }
    return properties;
  }

  private static Path emptyFolder(Path parent) {
    try {
      return Files.createDirectories(parent.resolve("no-plugins"));
    } catch (IOException e) {
      throw new UncheckedIOException(parent + " cannot be written to", e);
    }
  }

  /** Returns the URL of the worker's REST API. Example: {@code http://localhost:23456}. */
  public String url() {
    return url;
  }

  public ConnectClient client() {
    return new ConnectClient(URI.create(url));
  }

  public ServerProcess process() {
    return process;
  }

  /** Kills the worker as a loss of power would. */
  public void kill() {
    process.kill();
  }

  /** Stops the worker, which leaves its group and flushes its tasks. */
  public void stop() {
    process.stop();
  }

  /** Restarts the worker on the same port, and returns when it answers. */
  public void start() {
    process.start();
  }
}
