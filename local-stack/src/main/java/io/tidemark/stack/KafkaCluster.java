package io.tidemark.stack;

import io.tidemark.stack.release.KafkaRelease;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Uuid;

/**
 * The Kafka brokers of a stack: one that is its own controller, or several, of which the first is
 * the controller of all and must stay up.
 */
public final class KafkaCluster extends StackService {

  private final KafkaSettings settings;
  private final List<KafkaBroker> brokers;

  KafkaCluster(
      InstalledServers servers,
      StackFiles files,
      Watchdog watchdog,
      KafkaRelease release,
      KafkaSettings settings) {
    this.settings = settings;
    brokers =
        settings.ids().stream()
            .map(id -> new KafkaBroker(id, servers, files, watchdog, release, settings))
            .toList();
  }

  @Override
  void prepare() {
    String clusterId = Uuid.randomUuid().toString();
    brokers.parallelStream().forEach(broker -> broker.format(clusterId));
  }

  /** Starts all brokers at once, as none is registered before the controller answers. */
  @Override
  void start() {
    brokers.forEach(broker -> broker.process().launch());
    brokers.forEach(broker -> broker.process().awaitReady());
  }

  /** Where clients connect to. Example: {@code localhost:23456}, or several of it with commas. */
  public String bootstrapServers() {
    return settings.bootstrapServers();
  }

  public List<KafkaBroker> brokers() {
    return brokers;
  }

  /** A broker by its id, from 1. */
  public KafkaBroker broker(int id) {
    return brokers.get(id - 1);
  }

  /** How many brokers have each of the topics that must not be lost with one of them. */
  int replicas() {
    return settings.replicas();
  }

  @Override
  List<ServerProcess> processes() {
    return brokers.stream().map(KafkaBroker::process).toList();
  }

  /** An administration client, to be closed by the caller. */
  public Admin admin() {
    return Admin.create(
        Map.of(
            AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrapServers(),
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            30_000));
  }
}
