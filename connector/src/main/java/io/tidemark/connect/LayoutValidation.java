package io.tidemark.connect;

import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.config.NamedTopics;
import io.tidemark.connect.config.TableSettings;
import io.tidemark.store.PrintableText;
import io.tidemark.store.Storage;
import io.tidemark.store.StoredFile;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.publish.LayoutComparison;
import io.tidemark.store.table.LayoutChangedException;
import io.tidemark.store.table.LogTables;
import io.tidemark.store.table.Table;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.Config;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks at validation whether the tables in the store have the layout that the configuration sets.
 * A store that does not respond in time causes no error: every claim compares the layouts again.
 */
final class LayoutValidation {
  private static final Logger LOG = LoggerFactory.getLogger(LayoutValidation.class);
  private static final Duration STORE_WAIT = Duration.ofSeconds(10);
  private static final int TABLES_SHOWN = 10;

  /** The settings that determine the directories and the layouts of tables. */
  static final Pattern SETTINGS =
      Pattern.compile(
          "name|store\\.url|hadoop\\.conf\\.dir|topics\\.dir|logs\\.dir|log\\.id|partitioner\\.class"
              + "|partition\\..*|path\\.format|timezone|locale|timestamp\\..*"
              + "|hive\\.(integration|database|table\\.(name|location))"
              + "|(topic2table|topic\\.capture|record2table|field2table)\\..*");

  private LayoutValidation() {}

  static void check(ConnectorConfig config, Config answer) {
    boolean wrong =
        answer.configValues().stream()
            .anyMatch(
                value ->
                    SETTINGS.matcher(value.name()).matches() && !value.errorMessages().isEmpty());
    NamedTopics topics = NamedTopics.of(config);
    if (wrong || (topics.listed().isEmpty() && topics.pattern().isEmpty())) {
      return;
    }
    for (LayoutChangedException change : changes(config, topics)) {
      answer.configValues().stream()
          .filter(value -> value.name().equals(change.setting()))
          .forEach(value -> value.addErrorMessage(change.getMessage()));
    }
  }

  /** Reads the layouts in a thread that may run longer than this call. */
  private static List<LayoutChangedException> changes(ConnectorConfig config, NamedTopics topics) {
    try {
      return new Question<>("layouts", () -> find(config, topics)).await(STORE_WAIT);
    } catch (ExecutionException e) {
      notCompared(PrintableText.of(e.getCause() == null ? e : e.getCause()));
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

  private static List<LayoutChangedException> find(ConnectorConfig config, NamedTopics named)
      throws IOException, CorruptLogException {
    TableSettings tables = new TableSettings(config);
    List<LayoutChangedException> found = new ArrayList<>();
    try (Storage storage = StorageFactory.open(config, ServiceChecks.impatientHdfs(STORE_WAIT))) {
      LayoutComparison layouts = new LayoutComparison(storage);
      LogTables logTables = new LogTables(storage, config.logsRoot().child(config.logId()));
      for (String topic : topics(named, storage, config, logTables)) {
        for (Table table : tables.tables(topic)) {
          try {
            if (config.getBoolean(ConnectorConfig.HIVE_INTEGRATION)) {
              logTables.requireFormerRoot(table.root());
            }
            boolean landed = layouts.agrees(table);
            LOG.debug("the table {} of {} has files: {}", table.name(), topic, landed);
          } catch (LayoutChangedException e) {
            found.add(e);
            if (found.size() == TABLES_SHOWN) {
              return found;
            }
          }
        }
      }
    }
    return found;
  }

  /** Returns the listed topics, or those with a log or a table that match the pattern. */
  private static Collection<String> topics(
      NamedTopics named, Storage storage, ConnectorConfig config, LogTables logTables)
      throws IOException, CorruptLogException {
    if (!named.listed().isEmpty()) {
      return named.listed();
    }
    Set<String> found = new LinkedHashSet<>(logTables.topics());
    found.removeIf(topic -> !named.contains(topic));
    for (StoredFile table : storage.list(config.topicsRoot())) {
      String topic = table.path().name().replace("%5F", "_").replace("%2E", ".");
      // The directory of a topic with a long name has a hash in place of it: the claim compares it.
      if (table.directory() && !topic.contains("%") && named.contains(topic)) {
        found.add(topic);
      }
    }
    return found;
  }
}
