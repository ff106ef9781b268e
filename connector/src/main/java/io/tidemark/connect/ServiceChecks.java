package io.tidemark.connect;

import io.tidemark.connect.config.ConfigChecks;
import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.hive.HiveCatalog;
import io.tidemark.connect.hive.MetastoreSettings;
import io.tidemark.connect.kafka.ReachableCluster;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.table.TableCatalog;
import io.tidemark.connect.table.TableName;
import io.tidemark.connect.text.PrintableText;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.config.RegistryApi;
import io.tidemark.registry.config.RegistryConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigValue;

/**
 * The check of a configuration that asks every service that it names, all at once. What a service
 * answers, or that it does not, is told under the key of its address.
 */
final class ServiceChecks {
  private static final Duration LONGEST = Duration.ofSeconds(5);
  // So that a service's own reason arrives before nobody waits for it any more.
  private static final Duration LONGEST_CALL = Duration.ofSeconds(4);
  private static final Duration LONGEST_CONNECT = Duration.ofSeconds(2);

  /** A name node that is away is not waited for, as it is while records land. */
  static final Map<String, String> IMPATIENT_HDFS =
      Map.of(
          "ipc.client.connect.max.retries", "1",
          "ipc.client.connect.max.retries.on.timeouts", "1",
          "ipc.client.connect.timeout", "3000",
          "dfs.client.retry.policy.enabled", "false");

  private static final String NOT_ASKED = "not asked";

  private final ConnectorConfig config;
  private final Map<String, ConfigValue> values = new HashMap<>();
  private final Set<String> wrong;
  private final Map<String, Question<String>> questions = new LinkedHashMap<>();

  private ServiceChecks(Map<String, String> properties, Config asked) {
    asked.configValues().forEach(value -> values.put(value.name(), value));
    wrong =
        values.values().stream()
            .filter(value -> !value.errorMessages().isEmpty())
            .map(ConfigValue::name)
            .collect(Collectors.toUnmodifiableSet());
    Map<String, String> right = new HashMap<>(ConfigChecks.withAliases(properties));
    right.keySet().removeAll(wrong);
    // What is required and wrong; such a service is not asked.
    right.putIfAbsent(ConnectorConfig.STORE_URL, NOT_ASKED);
    right.putIfAbsent(ConnectorConfig.KAFKA_BOOTSTRAP_SERVERS, NOT_ASKED);
    right.putIfAbsent(ConnectorConfig.REGISTRY_URL, NOT_ASKED);
    config = new ConnectorConfig(right);
  }

  /**
   * Adds to a configuration's values what the services do not answer to. A service of whose keys
   * one is wrong already is not asked. Returns within 5 s.
   */
  static void check(Map<String, String> properties, Config config) {
    new ServiceChecks(properties, config).check();
  }

  private void check() {
    if (allRight(
        key ->
            key.equals(ConnectorConfig.STORE_URL)
                || key.equals(ConnectorConfig.HADOOP_CONF_DIR)
                || key.equals(ConnectorConfig.TOPICS_DIR))) {
      ask(ConnectorConfig.STORE_URL, this::store);
    }
    if (allRight(key -> key.startsWith(ConnectorConfig.KAFKA_PREFIX))) {
      ask(ConnectorConfig.KAFKA_BOOTSTRAP_SERVERS, this::kafka);
    }
    if (allRight(
        key ->
            RegistryConfig.keys().contains(key)
                || RegistryConfig.prefixes().stream().anyMatch(key::startsWith))) {
      ask(ConnectorConfig.REGISTRY_URL, this::registry);
    }
    if (config.getBoolean(ConnectorConfig.HIVE_INTEGRATION)
        && allRight(
            key ->
                key.equals(ConnectorConfig.HIVE_METASTORE_URIS)
                    || key.equals(ConnectorConfig.HIVE_DATABASE))) {
      ask(ConnectorConfig.HIVE_METASTORE_URIS, this::metastore);
    }
    long end = System.nanoTime() + LONGEST.toNanos();
    questions.forEach(
        (key, question) -> {
          try {
            question.await(Duration.ofNanos(end - System.nanoTime()));
          } catch (ExecutionException e) {
            problem(key, why(e.getCause() == null ? e : e.getCause()));
          } catch (TimeoutException e) {
            problem(key, "no answer within " + LONGEST.toSeconds() + " s");
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  /** An error's message alone may be no more than the name of a class. */
  private static String why(Throwable failure) {
    return failure instanceof Error || failure.getMessage() == null
        ? PrintableText.of(failure)
        : PrintableText.messageOf(failure);
  }

  private boolean allRight(Predicate<String> keys) {
    return wrong.stream().noneMatch(keys);
  }

  private interface Asking {
    void ask() throws Exception;
  }

  private void ask(String key, Asking asking) {
    questions.put(
        key,
        new Question<>(
            key,
            () -> {
              asking.ask();
              return key;
            }));
  }

  private void problem(String asked, String why) {
    boolean ofFiles = why.startsWith(ConnectorConfig.HADOOP_CONF_DIR + " ");
    ConfigValue value = values.get(ofFiles ? ConnectorConfig.HADOOP_CONF_DIR : asked);
    if (value != null && ofFiles) {
      value.addErrorMessage(why);
    } else if (value != null) {
      String end = why.endsWith(".") ? "" : ".";
      value.addErrorMessage(
          "was asked and failed: %s%s Correct it or start the service, or set %s=false to deploy without asking."
              .formatted(why, end, ConnectorConfig.VALIDATION_CONNECT));
    }
  }

  private void store() throws Exception {
    String confDir = config.getString(ConnectorConfig.HADOOP_CONF_DIR);
    try (Storage storage =
        StorageFactory.open(
            config.getString(ConnectorConfig.STORE_URL),
            confDir.isEmpty() ? Optional.empty() : Optional.of(Path.of(confDir)),
            IMPATIENT_HDFS)) {
      storage.list(config.topicsRoot());
    }
  }

  private void kafka() throws Exception {
    ReachableCluster.require(ServiceClients.kafkaProperties(config), LONGEST_CALL);
  }

  /** Any id does: that there is no schema of it is an answer as well. */
  private void registry() throws Exception {
    Map<String, Object> settings = new HashMap<>(config.originals());
    settings.keySet().removeAll(List.of("schema.registry.cache.file", "http.read.timeout.ms"));
    settings.put("schema.registry.request.timeout.ms", LONGEST_CALL.toMillis());
    settings.put("schema.registry.total.timeout.ms", LONGEST_CALL.toMillis());
    settings.put("http.connect.timeout.ms", LONGEST_CONNECT.toMillis());
    settings.put("max.retries", 0);
    RegistryConfig registry = RegistryConfig.parse(settings);
    try (SchemaRegistry client = registry.open()) {
      client.schema(
          registry.api() == RegistryApi.AVRO_1124
              ? new SchemaId.OfSubject(registry.subject().subject("tidemark"), "0")
              : SchemaId.of(1));
    } catch (SchemaNotFoundException e) {
      return;
    }
  }

  private void metastore() throws Exception {
    MetastoreSettings settings =
        MetastoreSettings.of(
            config.getString(ConnectorConfig.HIVE_METASTORE_URIS), System.getProperty("user.name"));
    try (TableCatalog catalog =
        new HiveCatalog(
            new MetastoreSettings(
                settings.uris(), settings.user(), LONGEST_CONNECT, LONGEST_CALL))) {
      catalog.exists(
          TableName.of(config.getString(ConnectorConfig.HIVE_DATABASE), "${topic}", "tidemark"));
    }
  }
}
