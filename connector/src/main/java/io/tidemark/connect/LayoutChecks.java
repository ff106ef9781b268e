package io.tidemark.connect;

import io.tidemark.connect.config.ConfigChecks;
import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.config.TableSettings;
import io.tidemark.connect.recovery.StandingLayouts;
import io.tidemark.connect.recovery.StandingPlaces;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoredFile;
import io.tidemark.connect.storage.log.CorruptLogException;
import io.tidemark.connect.table.LayoutChangedException;
import io.tidemark.connect.table.LogTables;
import io.tidemark.connect.table.Table;
import io.tidemark.connect.table.TableRoot;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks at validation whether the tables in the store have the layout that the configuration sets.
 * A store that does not respond in time causes no error, because every claim compares the layouts
 * again.
 */
final class LayoutChecks {
  private static final Logger LOG = LoggerFactory.getLogger(LayoutChecks.class);
  private static final Duration STORE_WAIT = Duration.ofSeconds(10);
  private static final int TABLES_TOLD = 10;

  /** The settings that determine the directories and the layouts of tables. */
  private static final List<String> SETTINGS =
      List.of(
          "name",
          ConnectorConfig.STORE_URL,
          ConnectorConfig.HADOOP_CONF_DIR,
          ConnectorConfig.TOPICS_DIR,
          ConnectorConfig.LOGS_DIR,
          ConnectorConfig.LOG_ID,
          ConnectorConfig.PARTITIONER_CLASS,
          ConnectorConfig.PARTITION_FIELD_NAME,
          ConnectorConfig.PATH_FORMAT,
          ConnectorConfig.PARTITION_DURATION_MS,
          ConnectorConfig.TIMEZONE,
          ConnectorConfig.LOCALE,
          ConnectorConfig.TIMESTAMP_EXTRACTOR,
          ConnectorConfig.TIMESTAMP_FIELD,
          ConnectorConfig.HIVE_INTEGRATION,
          ConnectorConfig.HIVE_DATABASE,
          ConnectorConfig.HIVE_TABLE_NAME,
          ConnectorConfig.HIVE_TABLE_LOCATION,
          ConnectorConfig.TOPIC_MAP,
          ConnectorConfig.TOPIC_CAPTURES,
          ConnectorConfig.RECORD_MAP,
          ConnectorConfig.FIELD_NAME,
          ConnectorConfig.FIELD_MAP);

  private LayoutChecks() {}

  /** Adds an error to each setting that differs from the layout of a table in the store. */
  static void check(Map<String, String> properties, Config config) {
    Map<String, String> named = new HashMap<>(ConfigChecks.withAliases(properties));
    Map<String, ConfigValue> values = new HashMap<>();
    config.configValues().forEach(value -> values.put(value.name(), value));
    boolean wrong =
        SETTINGS.stream()
            .map(values::get)
            .anyMatch(value -> value != null && !value.errorMessages().isEmpty());
    String topics = named.getOrDefault("topics", "");
    String regex = named.getOrDefault("topics.regex", "");
    if (wrong || (topics.isBlank() && regex.isBlank())) {
      return;
    }
    named
        .keySet()
        .removeIf(
            key ->
                !SETTINGS.contains(key)
                    && !TableSettings.isScoped(key)
                    && !key.startsWith(ConnectorConfig.PARTITIONER_CONFIG_PREFIX));
    named.put(ConnectorConfig.KAFKA_BOOTSTRAP_SERVERS, "not asked");
    named.put(ConnectorConfig.REGISTRY_URL, "not asked");
    changes(new ConnectorConfig(named), topics, regex)
        .forEach(
            change -> {
              ConfigValue value = values.get(change.setting());
              if (value != null) {
                value.addErrorMessage(change.getMessage());
              }
            });
  }

  /** Reads the layouts in a separate thread, which may run longer than this call. */
  private static List<LayoutChangedException> changes(
      ConnectorConfig config, String topics, String regex) {
    try {
      return new Question<>("layouts", () -> find(config, topics, regex)).await(STORE_WAIT);
    } catch (ExecutionException e) {
      notCompared(String.valueOf(e.getCause()));
    } catch (TimeoutException e) {
      notCompared("no answer in " + STORE_WAIT.toSeconds() + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return List.of();
  }

  private static void notCompared(String why) {
    LOG.warn(
        "the layouts of the tables were not compared with the configuration; the tasks will compare them: {}",
        why);
  }

  private static List<LayoutChangedException> find(
      ConnectorConfig config, String topics, String regex) throws IOException, CorruptLogException {
    String confDir = config.getString(ConnectorConfig.HADOOP_CONF_DIR);
    TableSettings tables = new TableSettings(config);
    List<LayoutChangedException> found = new ArrayList<>();
    try (Storage storage =
        StorageFactory.open(
            config.getString(ConnectorConfig.STORE_URL),
            confDir.isEmpty() ? Optional.empty() : Optional.of(Path.of(confDir)),
            ServiceChecks.impatientHdfs(STORE_WAIT))) {
      StandingLayouts layouts = new StandingLayouts(storage);
      LogTables logTables = new LogTables(storage, config.logsRoot().child(config.logId()));
      StandingPlaces places = new StandingPlaces(storage, logTables);
      for (String topic : topics(topics, regex, storage, config, logTables)) {
        for (Table table : tables.tables(topic)) {
          try {
            if (config.getBoolean(ConnectorConfig.HIVE_INTEGRATION)) {
              places.requireAsBefore(new TableRoot(table.name(), table.layout().root()));
            }
            boolean landed = layouts.agrees(table);
            LOG.debug("the table {} of {} has files: {}", table.name(), topic, landed);
          } catch (LayoutChangedException e) {
            found.add(e);
            if (found.size() == TABLES_TOLD) {
              return found;
            }
          }
        }
      }
    }
    return found;
  }

  /**
   * Returns the topics of {@code topics}, or those with a log or a table that match the pattern.
   */
  private static List<String> topics(
      String topics, String regex, Storage storage, ConnectorConfig config, LogTables logTables)
      throws IOException, CorruptLogException {
    if (!topics.isBlank()) {
      return List.of(topics.split(",", -1)).stream()
          .map(String::trim)
          .filter(topic -> !topic.isEmpty())
          .distinct()
          .toList();
    }
    Pattern pattern;
    try {
      pattern = Pattern.compile(regex);
    } catch (PatternSyntaxException e) {
      // Connect reports the invalid pattern itself.
      return List.of();
    }
    Set<String> found = new LinkedHashSet<>();
    for (String topic : logTables.topics()) {
      if (pattern.matcher(topic).matches()) {
        found.add(topic);
      }
    }
    for (StoredFile table : storage.list(config.topicsRoot())) {
      String topic = table.path().name().replace("%5F", "_").replace("%2E", ".");
      // The directory of a topic with a long name contains a hash instead of the full name. The
      // claim compares the layout of such a topic.
      if (table.directory() && !topic.contains("%") && pattern.matcher(topic).matches()) {
        found.add(topic);
      }
    }
    return List.copyOf(found);
  }
}
