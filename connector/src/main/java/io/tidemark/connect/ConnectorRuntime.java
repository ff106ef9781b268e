package io.tidemark.connect;

import io.tidemark.completeness.decide.LedgerSettings;
import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.completeness.ledger.TopicRules;
import io.tidemark.completeness.reckon.CatalogLook;
import io.tidemark.completeness.reckon.Inbox;
import io.tidemark.completeness.reckon.LedgerLog;
import io.tidemark.completeness.reckon.Reckoner;
import io.tidemark.completeness.reckon.ReckonerHealth;
import io.tidemark.completeness.reckon.ReckonerServices;
import io.tidemark.completeness.reckon.UnassignedLogs;
import io.tidemark.completeness.show.EventOutbox;
import io.tidemark.completeness.show.EventSender;
import io.tidemark.completeness.show.LedgerShow;
import io.tidemark.completeness.show.LedgerTables;
import io.tidemark.connect.config.CompletenessSettings;
import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.config.NamedTopics;
import io.tidemark.connect.config.TableSettings;
import io.tidemark.connect.kafka.KafkaAnnouncementsTopic;
import io.tidemark.connect.kafka.KafkaEndOffsets;
import io.tidemark.connect.kafka.KafkaEventTopic;
import io.tidemark.connect.metrics.LedgerMetrics;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.RepeatingThread;
import io.tidemark.store.Storage;
import io.tidemark.store.commit.LogOwner;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.publish.Publisher;
import io.tidemark.store.publish.Registrar;
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
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The work of a running connector beside its tasks. Each part has a thread, and clients of its own:
 * it settles logs that no task is given and, if completeness is enabled, reckons the ledger and
 * sends events. Failures of services appear in the log and the metrics and never fail the
 * connector: tasks continue without this work.
 */
final class ConnectorRuntime implements AutoCloseable {
  private static final int READERS = 8;
  private static final Duration RECKONER_STOPPED_WITHIN = Duration.ofMillis(900);
  private static final Duration EVENTS_STOPPED_WITHIN = Duration.ofMillis(20);
  private static final Duration SETTLING_STOPPED_WITHIN = Duration.ofMillis(300);

  private final ConnectorConfig config;
  private final CompletenessSettings completeness;
  private final Clock clock = Clock.systemUTC();
  private final MonotonicClock monotonic = MonotonicClock.system();
  private final Clients settlingClients = new Clients("settling");
  private final Clients ledgerClients = new Clients("ledger");
  private final Clients eventClients = new Clients("ledger");
  private final RepeatingThread settling;

  /** Sends events; empty if no topic is configured. */
  private final Optional<RepeatingThread> events;

  /** Empty without completeness, and before its thread has started. */
  private volatile Optional<RepeatingThread> reckoning = Optional.empty();

  private final Optional<LedgerMetrics> metrics;
  private volatile ReckonerHealth lastHealth = ReckonerHealth.NONE;

  /** Starts the threads, which create everything else; sends no request to a service. */
  ConnectorRuntime(ConnectorConfig config) {
    this.config = config;
    this.completeness = config.completeness();
    String name = config.connectorName();
    this.settling =
        RepeatingThread.start(
            "tidemark-settling-" + name,
            "committed files of topics that no task reads are not published",
            this::unassignedLogs,
            UnassignedLogs::look);
    if (!completeness.anyEnabled()) {
      this.events = Optional.empty();
      this.metrics = Optional.empty();
      return;
    }
    this.events =
        completeness
            .eventsTopic()
            .map(
                topic ->
                    RepeatingThread.start(
                        "tidemark-events-" + name,
                        "events wait; everything else continues",
                        () -> sender(topic),
                        EventSender::step));
    LedgerMetrics ofLedger = new LedgerMetrics(name, this::health, clock);
    this.metrics = Optional.of(ofLedger);
    this.reckoning =
        Optional.of(
            RepeatingThread.start(
                "tidemark-ledger-" + name,
                "nothing is shown to be complete until this is resolved; records still land",
                this::reckoner,
                reckoner -> {
                  Duration pause = reckoner.cycle();
                  lastHealth = reckoner.health();
                  ofLedger.update(lastHealth);
                  return pause;
                }));
    ofLedger.register();
  }

  /** The open clients of one thread; {@code of} names it in the log. */
  private record Clients(String of, Queue<AutoCloseable> open) {
    Clients(String of) {
      this(of, new ConcurrentLinkedQueue<>());
    }

    <T extends AutoCloseable> T add(T client) {
      open.add(client);
      return client;
    }

    void close() {
      for (AutoCloseable client = open.poll(); client != null; client = open.poll()) {
        ServiceClients.close(of, client);
      }
    }
  }

  private UnassignedLogs unassignedLogs() {
    settlingClients.close(); // of an earlier attempt that failed
    Storage storage = settlingClients.add(ServiceClients.storage(config));
    return new UnassignedLogs(
        new UnassignedLogs.Services(
            storage,
            config.logsRoot(),
            new LogOwner(config.logId(), config.connectorName()),
            settlingClients.add(new KafkaEndOffsets(kafkaProperties("-settling"))),
            NamedTopics.of(config)::contains,
            new Publisher(storage),
            ServiceClients.catalog(config)
                .map(catalog -> registrar(storage, settlingClients.add(catalog))),
            completeness.anyEnabled()
                ? Optional.of(
                    new UnassignedLogs.Accounting(
                        ledgerLog(storage), new Inbox(storage, folders(), 0, 0), clock))
                : Optional.empty()),
        monotonic);
  }

  private Registrar registrar(Storage storage, TableCatalog catalog) {
    return ServiceClients.registrar(config, new TableSettings(config), storage, catalog);
  }

  private LedgerLog ledgerLog(Storage storage) {
    return new LedgerLog(
        storage,
        folders(),
        config.connectorName(),
        TaskRuntime.worker(),
        clock,
        completeness.clockSkew());
  }

  private EventSender sender(String topic) {
    eventClients.close(); // of an earlier attempt that failed
    Storage storage = eventClients.add(ServiceClients.storage(config));
    KafkaEventTopic kafka =
        eventClients.add(KafkaEventTopic.of(topic, kafkaProperties("-events"), config.given()));
    return new EventSender(outbox(storage), kafka, completeness.batchesRetention());
  }

  private EventOutbox outbox(Storage storage) {
    return new EventOutbox(storage, folders());
  }

  private LedgerDirectories folders() {
    return new LedgerDirectories(completeness.ledgerRoot(), config.logId());
  }

  private Reckoner reckoner() {
    ledgerClients.close(); // of an earlier attempt that failed
    Storage storage = ledgerClients.add(ServiceClients.storage(config));
    KafkaEndOffsets kafka = ledgerClients.add(new KafkaEndOffsets(kafkaProperties("-ledger")));
    Optional<TableCatalog> catalog = ServiceClients.catalog(config).map(ledgerClients::add);
    TopicRules rules = new TableSettings(config).topicRules();
    ReckonerServices services =
        new ReckonerServices(
            storage,
            folders(),
            config.logsRoot(),
            ledgerLog(storage),
            kafka,
            completeness
                .batchesTopic()
                .map(
                    topic ->
                        ledgerClients.add(
                            new KafkaAnnouncementsTopic(
                                topic, kafka, kafkaProperties("-announcements"), monotonic))),
            catalog.map(client -> new CatalogLook(storage, client, registrar(storage, client))),
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
  private Executor readers() {
    ExecutorService readers =
        Executors.newFixedThreadPool(READERS, TaskThreads.factory("tidemark-ledger-logs"));
    AutoCloseable unused = ledgerClients.add(readers::shutdownNow);
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
        completeness.lateness(),
        rules,
        config.workerMayDrop(),
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

  private ReckonerHealth health() {
    ReckonerHealth health = lastHealth;
    return health.with(
        reckoning
            .flatMap(RepeatingThread::problem)
            .or(health::problem)
            .or(() -> events.flatMap(RepeatingThread::problem)));
  }

  /**
   * Stops within a second or a little more. A running call of a service is interrupted, and takes
   * effect or not. A daemon thread closes clients whose service does not respond.
   */
  @Override
  public void close() {
    metrics.ifPresent(LedgerMetrics::close);
    settling.requestStop();
    events.ifPresent(RepeatingThread::requestStop);
    boolean ended = reckoning.map(thread -> thread.stop(RECKONER_STOPPED_WITHIN)).orElse(true);
    events.ifPresent(sending -> sending.stop(EVENTS_STOPPED_WITHIN));
    ended &= settling.stop(SETTLING_STOPPED_WITHIN);
    Thread closing =
        TaskThreads.factory("tidemark-runtime-close")
            .newThread(
                () -> {
                  eventClients.close();
                  ledgerClients.close();
                  settlingClients.close();
                });
    closing.start();
    if (ended) {
      join(closing);
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
