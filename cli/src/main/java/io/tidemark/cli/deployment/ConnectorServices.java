package io.tidemark.cli.deployment;

import io.tidemark.completeness.ledger.TopicRules;
import io.tidemark.connect.StorageFactory;
import io.tidemark.connect.TidemarkSinkConnector;
import io.tidemark.connect.config.CompletenessSettings;
import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.config.HdfsSinkKeys;
import io.tidemark.connect.config.NamedTopics;
import io.tidemark.connect.config.TableSettings;
import io.tidemark.connect.hive.HiveCatalog;
import io.tidemark.connect.kafka.KafkaTopicMetadata;
import io.tidemark.registry.config.RegistryConfig;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.table.ReadOnlyCatalog;
import io.tidemark.store.table.Table;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;

/**
 * What the configuration of a deployed connector says about its logs, ledger and tables, and its
 * services. The only class of the command that uses the plugin's packages. Thread-safe.
 */
public final class ConnectorServices {
  /** The keys that define where the ledger is and how completeness is evaluated. */
  public static final List<String> LEDGER_KEYS =
      List.of(
          ConnectorConfig.STORE_URL,
          ConnectorConfig.HADOOP_CONF_DIR,
          ConnectorConfig.TOPICS_DIR,
          ConnectorConfig.LOGS_DIR,
          ConnectorConfig.LOG_ID,
          ConnectorConfig.LEDGER_DIR,
          ConnectorConfig.COMPLETENESS_INTERVAL_MS,
          ConnectorConfig.COMPLETENESS_CLOCK_SKEW_MS,
          ConnectorConfig.COMPLETENESS_GROUPS);

  public static final String KAFKA_KEYS = ConnectorConfig.KAFKA_PREFIX;

  public static final String CATALOG_KEY = ConnectorConfig.HIVE_METASTORE_URIS;

  private final ConnectorConfig config;
  private final CompletenessSettings completeness;
  private final TableSettings tables;
  private final Map<String, List<String>> groups;

  /** Throws an IllegalArgumentException or ConfigException if a value is invalid. */
  public ConnectorServices(Map<String, String> properties) {
    config = new ConnectorConfig(properties);
    completeness = config.completeness();
    tables = new TableSettings(config);
    groups = completeness.groups();
  }

  public Map<String, String> given() {
    return config.given();
  }

  public String connectorName() {
    return config.connectorName();
  }

  /** Returns the consumer group of the connector's tasks. */
  public String consumerGroup() {
    return config.consumerGroup();
  }

  /** Returns the properties of a client of Kafka. */
  public Map<String, Object> kafkaClient(String clientId) {
    Map<String, Object> properties = config.kafkaClient();
    properties.put("client.id", clientId);
    return properties;
  }

  public String logId() {
    return config.logId();
  }

  public StoragePath logsRoot() {
    return config.logsRoot();
  }

  public StoragePath ledgerRoot() {
    return completeness.ledgerRoot();
  }

  /** Returns the time between two instants through which a table can be complete. */
  public Duration interval() {
    return completeness.interval();
  }

  public Duration clockSkew() {
    return completeness.clockSkew();
  }

  public Map<String, List<String>> groups() {
    return groups;
  }

  public boolean announcesBatches() {
    return completeness.batchesTopic().isPresent();
  }

  /** Returns the rules of completeness, also those of single topics. */
  public TopicRules rules() {
    return tables.topicRules();
  }

  /** Returns the topics of the configuration; empty if it has a pattern. */
  public List<String> topics() {
    return List.copyOf(NamedTopics.of(config).listed());
  }

  /** Returns whether the configuration has a topic, by its name or by a pattern. */
  public boolean reads(String topic) {
    return NamedTopics.of(config).contains(topic);
  }

  public List<Table> tables(String topic) {
    return tables.tables(topic);
  }

  /** Returns the parameters by which the catalog's tables of this connector are recognized. */
  public Map<String, String> tableParameters() {
    return Map.of(HiveCatalog.LOG, logId());
  }

  /** Returns Hadoop's configuration directory on the worker, if there is one. */
  public Optional<String> hadoopConfDir() {
    return Optional.of(config.getString(ConnectorConfig.HADOOP_CONF_DIR))
        .filter(directory -> !directory.isEmpty());
  }

  public boolean hasCatalog() {
    return config.getBoolean(ConnectorConfig.HIVE_INTEGRATION);
  }

  /** A key of Confluent's HDFS sink. */
  public enum OldKey {
    /** The key has the same meaning. */
    KEPT,
    /** The key is not needed. */
    NOT_NEEDED,
    /** The key requests something that this connector does not do. */
    REJECTED
  }

  /** Returns what a setting of Confluent's HDFS sink means; empty if the sink has no such key. */
  public static Optional<OldKey> oldKey(String key, String value) {
    return HdfsSinkKeys.of(key)
        .map(
            known ->
                switch (known.verdict()) {
                  case KEPT -> OldKey.KEPT;
                  case WARNED -> OldKey.NOT_NEEDED;
                  case REJECTED -> known.isHarmless(value) ? OldKey.NOT_NEEDED : OldKey.REJECTED;
                });
  }

  /** Returns the connector's text about a key of Confluent's HDFS sink that it does not have. */
  public static String textOfOldKey(String key) {
    return HdfsSinkKeys.of(key)
        .map(known -> known.text() + ".")
        .orElse("")
        .replaceFirst("^Ignored: ", "")
        .replaceFirst(" Remove th(e|is) key\\.$", "");
  }

  /** Returns whether the connector or its registry client has a key. */
  public static boolean isKey(String key) {
    return ConnectorConfig.DEFINITION.names().contains(key)
        || key.startsWith(ConnectorConfig.KAFKA_PREFIX)
        || isRegistryKey(key);
  }

  /** Returns whether commands without a registry use a key, so its value must be resolved. */
  public static boolean isNeededByCommands(String key) {
    return List.of("topics", "topics.regex", "consumer.override.group.id").contains(key)
        || (isKey(key) && !isRegistryKey(key));
  }

  public static boolean isRegistryKey(String key) {
    return RegistryConfig.keys().contains(key) || key.startsWith("request.header.");
  }

  /** Returns the errors of the connector's validation, by key. Connects to no service. */
  public static Map<String, List<String>> problems(Map<String, String> properties) {
    Map<String, String> unconnected = new HashMap<>(properties);
    unconnected.put(ConnectorConfig.VALIDATION_CONNECT, "false");
    Map<String, List<String>> problems = new LinkedHashMap<>();
    for (ConfigValue value : new TidemarkSinkConnector().validate(unconnected).configValues()) {
      if (!value.errorMessages().isEmpty()) {
        problems.put(value.name(), List.copyOf(value.errorMessages()));
      }
    }
    return problems;
  }

  /** As {@link StorageFactory#open(ConnectorConfig, Map)}. */
  public Storage openStorage() throws IOException {
    return StorageFactory.open(config, Map.of());
  }

  /** Returns why this machine does not permit a setting of Kafka's clients; empty if it does. */
  public Optional<String> refusedByKafkaClient() {
    try {
      Map<String, Object> unused = config.kafkaClient();
      return Optional.empty();
    } catch (ConfigException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** Returns Kafka's topics. Connects at the first request. */
  public TopicMetadata openTopics(String clientId) {
    return new KafkaTopicMetadata(
        kafkaClient(clientId), config.consumerGroup(), completeness.readsCommitted());
  }

  /** Returns the Hive Metastore, if {@link #hasCatalog}. Connects at the first request. */
  public ReadOnlyCatalog openCatalog() {
    return new HiveCatalog(
        config.metastore().orElseThrow(), new TableSettings(config).outsideHive());
  }
}
