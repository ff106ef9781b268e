package io.tidemark.connect;

import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.config.LocalFiles;
import io.tidemark.connect.config.TableSettings;
import io.tidemark.connect.health.MeasuredService;
import io.tidemark.connect.health.Service;
import io.tidemark.connect.health.ServiceCalls;
import io.tidemark.connect.health.TaskHealth;
import io.tidemark.connect.health.Waits;
import io.tidemark.connect.hive.HiveCatalog;
import io.tidemark.connect.kafka.KafkaTopicMetadata;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.PrintableFailure;
import io.tidemark.store.Storage;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.publish.Registrar;
import io.tidemark.store.table.TableCatalog;
import java.io.IOException;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The clients of a configuration's services. No client sends a request before it is used. */
record ServiceClients(
    Storage storage,
    TopicMetadata topics,
    SchemaRegistry registry,
    Optional<TableCatalog> catalog,
    TaskHealth health)
    implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceClients.class);

  static ServiceClients of(ConnectorConfig config) {
    Map<String, AutoCloseable> opened = new LinkedHashMap<>();
    try {
      Optional<TableCatalog> catalog = catalog(config);
      Storage storage = storage(config);
      opened.put("store", storage);
      TopicMetadata topics = topics(config);
      opened.put("Kafka", topics);
      return measured(config, storage, topics, config.registry().open(), catalog);
    } catch (RuntimeException | Error e) {
      // Connect does not stop a task that failed to start, and such a task is often restarted.
      opened.forEach(ServiceClients::close);
      throw e;
    }
  }

  /** Wraps each client to measure its calls, so that a missing response is detected. */
  private static ServiceClients measured(
      ConnectorConfig config,
      Storage storage,
      TopicMetadata topics,
      SchemaRegistry registry,
      Optional<TableCatalog> catalog) {
    Map<Service, String> addresses =
        Map.of(
            Service.KAFKA, config.getString(ConnectorConfig.KAFKA_BOOTSTRAP_SERVERS),
            Service.STORE, config.getString(ConnectorConfig.STORE_URL),
            Service.SCHEMA_REGISTRY, registry.location(),
            Service.METASTORE, config.getString(ConnectorConfig.HIVE_METASTORE_URIS));
    MonotonicClock clock = MonotonicClock.system();
    Function<Service, ServiceCalls> callsOf =
        service -> new ServiceCalls(service, addresses.getOrDefault(service, ""), clock);
    ServiceCalls ofStore = callsOf.apply(Service.STORE);
    ServiceCalls ofKafka = callsOf.apply(Service.KAFKA);
    ServiceCalls ofRegistry = callsOf.apply(Service.SCHEMA_REGISTRY);
    ServiceCalls ofCatalog = callsOf.apply(Service.METASTORE);
    Clock wall = Clock.systemUTC();
    return new ServiceClients(
        MeasuredService.of(Storage.class, storage, ofStore),
        MeasuredService.of(TopicMetadata.class, topics, ofKafka),
        MeasuredService.of(SchemaRegistry.class, registry, ofRegistry),
        catalog.map(each -> MeasuredService.of(TableCatalog.class, each, ofCatalog)),
        new TaskHealth(
            new Waits(addresses, clock, wall),
            List.of(ofStore, ofKafka, ofRegistry, ofCatalog),
            clock,
            wall));
  }

  static Optional<TableCatalog> catalog(ConnectorConfig config) {
    return config
        .metastore()
        .map(settings -> new HiveCatalog(settings, new TableSettings(config).outsideHive()));
  }

  static Registrar registrar(
      ConnectorConfig config, TableSettings tables, Storage storage, TableCatalog catalog) {
    return new Registrar(
        storage,
        catalog,
        table -> HiveCatalog.parameters(config.logId(), tables.hiveProperties(table)),
        MonotonicClock.system());
  }

  static Storage storage(ConnectorConfig config) {
    LocalFiles.problems(config)
        .forEach(
            (key, problem) -> {
              throw new ConnectException(key + " " + problem);
            });
    try {
      return StorageFactory.open(config, Map.of());
    } catch (IOException | IllegalArgumentException e) {
      throw new ConnectException(e.getMessage(), e);
    }
  }

  static TopicMetadata topics(ConnectorConfig config) {
    return new KafkaTopicMetadata(
        kafkaProperties(config), config.consumerGroup(), config.completeness().readsCommitted());
  }

  static Map<String, Object> kafkaProperties(ConnectorConfig config) {
    Map<String, Object> properties = config.kafkaClient();
    properties.putIfAbsent("client.id", "tidemark-" + config.connectorName());
    // Each attempt to connect to an unavailable broker logs up to three lines.
    properties.putIfAbsent("reconnect.backoff.ms", "250");
    properties.putIfAbsent("reconnect.backoff.max.ms", "5000");
    return properties;
  }

  @Override
  public void close() {
    close("schema registry", registry);
    close("Kafka", topics);
    catalog.ifPresent(client -> close("Hive Metastore", client));
    close("store", storage);
  }

  // Close the other clients too, whatever this client throws.
  static void close(String what, AutoCloseable client) {
    try {
      client.close();
    } catch (Exception e) {
      LOG.warn("the client of the {} did not close", what, PrintableFailure.of(e));
    }
  }
}
