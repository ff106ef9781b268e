package io.tidemark.cli.deployment;

import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.completeness.reckon.ForeignLedgers;
import io.tidemark.completeness.reckon.Inbox;
import io.tidemark.completeness.reckon.LedgerLog;
import io.tidemark.completeness.show.LedgerTables;
import io.tidemark.store.PrintableText;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** A deployed connector: its configuration and its store. Read-only. Used by one thread. */
public final class Deployment implements AutoCloseable {
  private static final int ACCOUNTS_MOST = 10_000;
  private static final long ACCOUNTS_MOST_BYTES = 64L << 20;

  /** A running task puts an account at least each hour. */
  private static final Duration ACCOUNT_KEPT = Duration.ofHours(2);

  private static final String CONNECTOR_CLASS = "io.tidemark.connect.TidemarkSinkConnector";

  // Example: ${file:/etc/connect/secrets.properties:hdfs}
  private static final Pattern SECRET = Pattern.compile("\\$\\{[A-Za-z0-9_-]+:[^}]*}");

  private final String connector;
  private final ConnectRest rest;
  private final ConnectorServices services;
  private final Storage storage;

  private Deployment(
      String connector, ConnectRest rest, ConnectorServices services, Storage storage) {
    this.connector = connector;
    this.rest = rest;
    this.services = services;
    this.storage = storage;
  }

  /**
   * Reads the configuration from Connect and opens the store, without a request to the store.
   *
   * @param set keys that override the deployed ones
   * @param workerProperties the file whose {@code config.providers} resolve secrets. The user names
   *     it: who may only change a configuration must not read this machine's files.
   */
  public static Deployment open(
      String connector, String connectUrl, Map<String, String> set, Optional<Path> workerProperties)
      throws CommandFailure {
    ConnectRest rest = ConnectRest.of(connectUrl);
    SortedMap<String, String> properties = new TreeMap<>(rest.config(connector));
    properties.putAll(set);
    properties.put("name", connector);
    if (workerProperties.isPresent()) {
      properties.putAll(resolved(properties, workerProperties.get()));
    }
    String place = rest.url() + "/connectors/" + PrintableText.of(connector);
    String type = properties.getOrDefault("connector.class", "");
    if (!type.equals(CONNECTOR_CLASS)
        && !type.equals("TidemarkSinkConnector")
        && !type.equals("TidemarkSink")) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "%s: the connector is a %s, not a %s, so it has no ledger. Correct --connector."
              .formatted(place, PrintableText.of(type), CONNECTOR_CLASS));
    }
    requireResolved(place, properties, ConnectorServices.LEDGER_KEYS);
    try {
      ConnectorServices services = new ConnectorServices(properties);
      return new Deployment(connector, rest, services, storage(place, services));
    } catch (ConfigException | IllegalArgumentException e) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "%s: the configuration is invalid: %s%s"
              .formatted(place, PrintableText.messageOf(e), unresolved(properties)),
          e);
    }
  }

  /** Returns a configuration with the values of the worker's {@code config.providers}. */
  public static Map<String, String> resolved(Map<String, String> properties, Path workers)
      throws CommandFailure {
    try (InputStream in = Files.newInputStream(workers)) {
      Properties worker = new Properties();
      worker.load(in);
      worker.putIfAbsent("config.providers", ""); // Without any, Kafka uses the configuration's.
      Map<String, Object> providers = new HashMap<>();
      worker.forEach((key, value) -> providers.put(key.toString(), value));
      return new AbstractConfig(new ConfigDef(), properties, providers, false).originalsStrings();
    } catch (IOException | IllegalArgumentException | ConfigException e) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--worker-properties %s: the secrets cannot be resolved: %s. Check the file and its config.providers, or add --set KEY=VALUE."
              .formatted(PrintableText.of(workers.toString()), PrintableText.of(e)),
          e);
    }
  }

  /** Rejects values of needed keys that only the worker can resolve. */
  public static void requireResolved(
      String place, Map<String, String> properties, Collection<String> needed)
      throws CommandFailure {
    for (String key : needed) {
      String value = properties.getOrDefault(key, "");
      if (SECRET.matcher(value).find()) {
        throw new CommandFailure(
            ExitCode.USAGE,
            "%s: %s is %s, which the worker resolves. Add --worker-properties FILE or --set %s=VALUE."
                .formatted(place, key, PrintableText.of(value), key));
      }
    }
  }

  private static String unresolved(Map<String, String> properties) {
    String keys =
        properties.entrySet().stream()
            .filter(each -> SECRET.matcher(each.getValue()).find())
            .map(Map.Entry::getKey)
            .collect(Collectors.joining(", "));
    return keys.isEmpty()
        ? ". Correct it in Connect, or add --set key=value."
        : ". The worker resolves "
            + keys
            + ": add --worker-properties FILE, or --set key=value for the key of the error.";
  }

  private static Storage storage(String place, ConnectorServices services) throws CommandFailure {
    String confDir = services.hadoopConfDir().orElse("");
    if (!confDir.isEmpty() && !Files.isDirectory(Path.of(confDir))) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "%s: hadoop.conf.dir is %s, a directory of the worker, and this machine has no such directory. Copy it to this machine, or set a local one: --set hadoop.conf.dir=DIRECTORY."
              .formatted(place, PrintableText.of(confDir)));
    }
    try {
      return services.openStorage();
    } catch (IllegalArgumentException | ConfigException e) {
      throw new CommandFailure(ExitCode.USAGE, place + ": " + PrintableText.messageOf(e), e);
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.UNKNOWN,
          place + ": the store cannot be opened: " + PrintableText.messageOf(e),
          e);
    }
  }

  public String connector() {
    return connector;
  }

  /** Returns Connect's address, without credentials. */
  public String connectUrl() {
    return rest.url();
  }

  public Storage storage() {
    return storage;
  }

  /** Returns the services of the deployed configuration, with the keys of {@code --set}. */
  public ConnectorServices services() {
    return services;
  }

  public String logId() {
    return services.logId();
  }

  public StoragePath logsRoot() {
    return services.logsRoot();
  }

  /**
   * Rejects a configuration with secrets that only the worker can resolve.
   *
   * @param prefix the prefix of the needed keys
   */
  public void requireResolved(String prefix) throws CommandFailure {
    requireResolved(
        rest.url() + "/connectors/" + PrintableText.of(connector),
        services.given(),
        services.given().keySet().stream().filter(key -> key.startsWith(prefix)).toList());
  }

  /** Returns the directories of this connector's ledger. */
  public LedgerDirectories folders() {
    return folders(services.logId());
  }

  /** Returns the directories of the ledger of another log in the same store. */
  public LedgerDirectories folders(String logId) {
    return new LedgerDirectories(services.ledgerRoot(), logId);
  }

  /** Returns the ledger's tables, from which the entries that the connector has shown are read. */
  public LedgerTables ledgerTables() {
    return new LedgerTables(storage(), Optional.empty(), "default", folders());
  }

  /** Returns the ledger of a log in the same store, for reading. */
  public LedgerLog ledger(String logId, Clock clock) {
    return new LedgerLog(
        storage, folders(logId), connector, "tidemark command", clock, services.clockSkew());
  }

  /**
   * Returns the waits of tasks that may need an operator, from each task's newest account. The
   * account of a task that has ended stays, so the waits of tasks that do not live are left out.
   */
  public List<String> waits(ConnectorState state, Instant now) throws IOException {
    Map<Integer, Inbox.Received> newest = new TreeMap<>();
    new Inbox(storage, folders(), ACCOUNTS_MOST, ACCOUNTS_MOST_BYTES)
        .look().accounts().stream()
            .filter(each -> each.at().isAfter(now.minus(ACCOUNT_KEPT)))
            .sorted(Comparator.comparing(Inbox.Received::at))
            .forEach(each -> newest.put(each.account().task(), each));
    return newest.values().stream()
        .filter(each -> state.lives(each.account().task()))
        .flatMap(
            each ->
                each.account().waits().stream()
                    .map(wait -> state.known() ? wait : wait + unsure(each)))
        .distinct()
        .toList();
  }

  private static String unsure(Inbox.Received account) {
    return " (task %d reported it at %s; Connect does not say whether the task still runs)"
        .formatted(account.account().task(), account.at().truncatedTo(ChronoUnit.SECONDS));
  }

  /** Returns the time between two instants through which a table can be complete. */
  public Duration interval() {
    return services.interval();
  }

  /** Returns whether a hold prevents completeness until an operator acknowledges it. */
  public boolean prevents(Hold hold) {
    return services.rules().prevents(hold);
  }

  public boolean declares(String group) {
    return services.groups().containsKey(group);
  }

  /** Returns the members of a declared group, by their names in the ledger. */
  public List<String> members(String group) {
    ForeignLedgers foreign = new ForeignLedgers(storage, folders());
    return services.groups().getOrDefault(group, List.of()).stream().map(foreign::member).toList();
  }

  /** Returns whether the configuration has a topic for announced batches. */
  public boolean announcesBatches() {
    return services.announcesBatches();
  }

  /** Returns the topics of the configuration; empty if it has a pattern. */
  public List<String> topics() {
    return services.topics();
  }

  public ConnectorState state() {
    return rest.state(connector);
  }

  /** Restarts the connector and its tasks, by Connect's REST API. */
  public void restart() throws CommandFailure {
    rest.restart(connector);
  }

  @Override
  public void close() throws IOException {
    storage.close();
  }
}
