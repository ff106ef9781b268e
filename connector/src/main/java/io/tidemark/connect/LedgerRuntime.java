package io.tidemark.connect;

import io.tidemark.completeness.decide.LedgerSettings;
import io.tidemark.completeness.ledger.LedgerFolders;
import io.tidemark.completeness.ledger.TopicRules;
import io.tidemark.completeness.reckon.CatalogLook;
import io.tidemark.completeness.reckon.LedgerLog;
import io.tidemark.completeness.reckon.Reckoner;
import io.tidemark.completeness.reckon.ReckonerHealth;
import io.tidemark.completeness.reckon.ReckonerServices;
import io.tidemark.completeness.reckon.ReckonerThread;
import io.tidemark.completeness.show.EventOutbox;
import io.tidemark.completeness.show.EventSender;
import io.tidemark.completeness.show.LedgerShow;
import io.tidemark.completeness.show.LedgerTables;
import io.tidemark.completeness.show.ShowSettings;
import io.tidemark.connect.config.CompletenessSettings;
import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.config.TableSettings;
import io.tidemark.connect.hive.HiveCatalog;
import io.tidemark.connect.kafka.KafkaAnnouncementsTopic;
import io.tidemark.connect.kafka.KafkaEndOffsets;
import io.tidemark.connect.kafka.KafkaEventTopic;
import io.tidemark.connect.metrics.LedgerMetrics;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.RepeatingThread;
import io.tidemark.store.Storage;
import io.tidemark.store.file.AvroFormat;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.table.LogTables;
import io.tidemark.store.table.TableCatalog;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The reckoner of a running connector, with its thread and its clients. Failures of services appear
 * in the log and the metrics and never fail the connector: tasks continue without a reckoner.
 */
final class LedgerRuntime implements AutoCloseable {
  private final ConnectorConfig config;
  private final CompletenessSettings completeness;
  private static final int READERS = 8;
  private static final Duration EVENTS_STOPPED_WITHIN = Duration.ofMillis(20);

  /** Sends events; empty if no topic is configured. */
  private final Optional<RepeatingThread> events;

  private final ReckonerThread thread;
  private final LedgerMetrics metrics;

  private final Queue<AutoCloseable> ledgerClients = new ConcurrentLinkedQueue<>();

  private final Queue<AutoCloseable> eventClients = new ConcurrentLinkedQueue<>();

  private LedgerRuntime(ConnectorConfig config) {
    this.config = config;
    this.completeness = config.completeness();
    this.events =
        completeness
            .eventsTopic()
            .map(topic -> EventSender.start(config.connectorName(), () -> sender(topic)));
    this.metrics = new LedgerMetrics(config.connectorName(), this::health, Clock.systemUTC());
    this.thread = ReckonerThread.start(config.connectorName(), this::reckoner, metrics::update);
  }

  /** Starts the thread, which creates everything else; sends no request to a service. */
  static LedgerRuntime start(ConnectorConfig config) {
    LedgerRuntime started = new LedgerRuntime(config);
    started.metrics.register();
    return started;
  }

  private <T extends AutoCloseable> T opened(T client) {
    ledgerClients.add(client);
    return client;
  }

  /** Creates the event sender. Called in the sender's thread. */
  private EventSender sender(String topic) {
    closeAll(eventClients); // of an earlier attempt that failed
    Storage storage = ServiceClients.storage(config);
    eventClients.add(storage);
    KafkaEventTopic kafka = KafkaEventTopic.of(topic, kafkaProperties("-events"), config.given());
    eventClients.add(kafka);
    return new EventSender(outbox(storage), kafka, completeness.batchesRetention());
  }

  private EventOutbox outbox(Storage storage) {
    return new EventOutbox(storage, folders());
  }

  private LedgerFolders folders() {
    return new LedgerFolders(completeness.ledgerRoot(), config.logId());
  }

  /** Creates the reckoner. Called in the reckoner's thread. */
  private Reckoner reckoner() {
    closeAll(ledgerClients); // of an earlier attempt that failed
    Clock clock = Clock.systemUTC();
    MonotonicClock monotonic = MonotonicClock.system();
    Storage storage = opened(ServiceClients.storage(config));
    KafkaEndOffsets kafka = opened(new KafkaEndOffsets(kafkaProperties("-ledger")));
    Optional<TableCatalog> catalog = ServiceClients.catalog(config).map(this::opened);
    TopicRules rules = new TableSettings(config).topicRules();
    ReckonerServices services =
        new ReckonerServices(
            storage,
            folders(),
            config.logsRoot(),
            new LedgerLog(
                storage,
                folders(),
                config.connectorName(),
                TaskRuntime.worker(),
                clock,
                completeness.clockSkew()),
            kafka,
            completeness
                .batchesTopic()
                .map(
                    topic ->
                        opened(
                            new KafkaAnnouncementsTopic(
                                topic, kafka, kafkaProperties("-announcements"), monotonic))),
            catalog.map(
                client ->
                    new CatalogLook(
                        storage,
                        client,
                        AvroFormat.INSTANCE.storageFormat(),
                        Map.of(HiveCatalog.LOG, config.logId()))),
            show(storage, catalog, rules),
            clock,
            monotonic,
            new Random(),
            readers());
    LedgerSettings settings =
        new LedgerSettings(
            completeness.interval(),
            completeness.lateness(),
            rules,
            completeness.revisionInterval(),
            completeness.batchesExpire(),
            Collections.emptySortedMap(),
            completeness.groups());
    return new Reckoner(
        services,
        settings,
        new ConfiguredTables(config, kafka::topics, firstTopics(storage), monotonic));
  }

  /** Returns the threads that read commit logs: most of the time they wait for the store. */
  private ExecutorService readers() {
    ExecutorService readers =
        Executors.newFixedThreadPool(READERS, TaskThreads.factory("tidemark-ledger-logs"));
    ledgerClients.add(readers::shutdownNow);
    return readers;
  }

  private ConfiguredTables.FirstTopics firstTopics(Storage storage) {
    LogTables tables = new LogTables(storage, config.logsRoot().child(config.logId()));
    return table -> {
      try {
        return tables.firstTopic(table);
      } catch (CorruptLogException e) {
        throw new IOException(e.getMessage(), e);
      }
    };
  }

  private LedgerShow show(Storage storage, Optional<TableCatalog> catalog, TopicRules rules) {
    return new LedgerShow(
        new ShowSettings(config.logId(), completeness.lateness(), rules, config.workerMayDrop()),
        new LedgerTables(storage, catalog, completeness.hiveDatabase(), folders()),
        completeness.batchesRetention(),
        events.map(sending -> new LedgerShow.Events(outbox(storage), sending::wake)));
  }

  /** Adds a suffix to the client id, which a task's client in the same worker uses. */
  private Map<String, Object> kafkaProperties(String suffix) {
    Map<String, Object> properties = ServiceClients.kafkaProperties(config);
    properties.computeIfPresent("client.id", (key, id) -> id + suffix);
    return properties;
  }

  /**
   * Returns the health with a problem of events, also to a reader of an MBean that the thread has
   * just registered.
   */
  private ReckonerHealth health() {
    ReckonerThread started = thread;
    ReckonerHealth health = started == null ? ReckonerHealth.NONE : started.health();
    return health.with(health.problem().or(() -> events.flatMap(RepeatingThread::problem)));
  }

  /** Stops within a second. A daemon thread closes clients whose service does not respond. */
  @Override
  public void close() {
    metrics.close();
    events.ifPresent(RepeatingThread::requestStop);
    boolean ended = thread.stop();
    events.ifPresent(sending -> sending.stop(EVENTS_STOPPED_WITHIN));
    Thread closing =
        new Thread(
            () -> {
              closeAll(eventClients);
              closeAll(ledgerClients);
            },
            "tidemark-ledger-close");
    closing.setDaemon(true);
    closing.start();
    if (ended) {
      join(closing);
    }
  }

  private static void closeAll(Queue<AutoCloseable> clients) {
    for (AutoCloseable client = clients.poll(); client != null; client = clients.poll()) {
      ServiceClients.close("ledger", client);
    }
  }

  private static void join(Thread closing) {
    try {
      closing.join(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
