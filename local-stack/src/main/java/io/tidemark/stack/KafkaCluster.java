package io.tidemark.stack;

import io.tidemark.stack.release.KafkaRelease;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Uuid;

/**
 * The Kafka brokers of a stack: one that is its own controller, or several. The first of several is
 * the only controller and must not stop.
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

  /** Returns the addresses for clients, separated by commas. Example: {@code localhost:23456}. */
  public String bootstrapServers() {
    return settings.bootstrapServers();
  }

  /**
   * Returns the properties with which a principal of a secured stack connects; in another stack
   * only the addresses.
   */
  public Map<String, String> clientSettings(String principal) {
    return settings.client(principal);
  }

  Optional<Security> security() {
    return settings.security();
  }

  public List<KafkaBroker> brokers() {
    return brokers;
  }

  /** Returns a broker by its id, from 1. */
  public KafkaBroker broker(int id) {
    return brokers.get(id - 1);
  }

  /** Returns the replication factor of topics that must survive the loss of a broker. */
  int replicas() {
    return settings.replicas();
  }

  @Override
  List<ServerProcess> processes() {
    return brokers.stream().map(KafkaBroker::process).toList();
  }

  /** Returns an administration client, which the caller must close. */
  public Admin admin() {
    Map<String, Object> client = new HashMap<>(settings.client());
    client.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 30_000);
    return Admin.create(client);
  }
}
