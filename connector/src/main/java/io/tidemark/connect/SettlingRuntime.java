package io.tidemark.connect;

import io.tidemark.completeness.ledger.LedgerFolders;
import io.tidemark.completeness.reckon.Inbox;
import io.tidemark.completeness.reckon.LedgerLog;
import io.tidemark.completeness.reckon.UnassignedLogs;
import io.tidemark.connect.config.CompletenessSettings;
import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.config.NamedTopics;
import io.tidemark.connect.config.TableSettings;
import io.tidemark.connect.hive.HiveCatalog;
import io.tidemark.connect.kafka.KafkaEndOffsets;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.RepeatingThread;
import io.tidemark.store.Storage;
import io.tidemark.store.commit.LogOwner;
import io.tidemark.store.file.AvroFormat;
import io.tidemark.store.publish.Publisher;
import io.tidemark.store.publish.Registrar;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The thread of a running connector that settles logs which no task is given, with its clients. */
final class SettlingRuntime implements AutoCloseable {
  private static final Duration STOPPED_WITHIN = Duration.ofMillis(300);

  private final ConnectorConfig config;
  private final Queue<AutoCloseable> clients = new ConcurrentLinkedQueue<>();
  private final RepeatingThread thread;
  private Optional<UnassignedLogs> logs = Optional.empty();

  private SettlingRuntime(ConnectorConfig config) {
    this.config = config;
    this.thread =
        RepeatingThread.start(
            "tidemark-settling-" + config.connectorName(),
            "committed files of topics that no task reads are not published",
            this::look);
  }

  /** Starts the thread, which creates everything else; sends no request to a service. */
  static SettlingRuntime start(ConnectorConfig config) {
    return new SettlingRuntime(config);
  }

  private Duration look() throws Exception {
    if (logs.isEmpty()) {
      closeClients(); // of an earlier attempt that failed
      logs = Optional.of(open());
    }
    return logs.get().look();
  }

  private <T extends AutoCloseable> T opened(T client) {
    clients.add(client);
    return client;
  }

  private UnassignedLogs open() {
    MonotonicClock monotonic = MonotonicClock.system();
    Storage storage = opened(ServiceClients.storage(config));
    Map<String, Object> kafka = new HashMap<>(ServiceClients.kafkaProperties(config));
    kafka.computeIfPresent("client.id", (key, id) -> id + "-settling");
    TableSettings tables = new TableSettings(config);
    return new UnassignedLogs(
        new UnassignedLogs.Services(
            storage,
            config.logsRoot(),
            new LogOwner(config.logId(), config.connectorName()),
            opened(new KafkaEndOffsets(kafka)),
            NamedTopics.of(config)::contains,
            new Publisher(storage, AvroFormat.INSTANCE),
            ServiceClients.catalog(config)
                .map(this::opened)
                .map(
                    catalog ->
                        new Registrar(
                            storage,
                            catalog,
                            AvroFormat.INSTANCE,
                            table ->
                                HiveCatalog.parameters(
                                    config.logId(), tables.hiveProperties(table)),
                            monotonic)),
            ledger(storage)),
        monotonic);
  }

  private Optional<UnassignedLogs.Accounting> ledger(Storage storage) {
    CompletenessSettings completeness = config.completeness();
    if (!completeness.anyEnabled()) {
      return Optional.empty();
    }
    LedgerFolders folders = new LedgerFolders(completeness.ledgerRoot(), config.logId());
    Clock clock = Clock.systemUTC();
    return Optional.of(
        new UnassignedLogs.Accounting(
            new LedgerLog(
                storage,
                folders,
                config.connectorName(),
                TaskRuntime.worker(),
                clock,
                completeness.clockSkew()),
            new Inbox(storage, folders, 0, 0),
            clock));
  }

  /** Stops soon. A daemon thread closes clients whose service does not respond. */
  @Override
  public void close() {
    thread.stop(STOPPED_WITHIN);
    Thread closing = new Thread(this::closeClients, "tidemark-settling-close");
    closing.setDaemon(true);
    closing.start();
  }

  private void closeClients() {
    for (AutoCloseable client = clients.poll(); client != null; client = clients.poll()) {
      ServiceClients.close("settling", client);
    }
  }
}
