package io.tidemark.connect;

import io.tidemark.connect.config.ConfigChecks;
import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.config.NamedTopics;
import io.tidemark.connect.config.TableSettings;
import io.tidemark.connect.kafka.KafkaPartition;
import io.tidemark.store.PrintableFailure;
import io.tidemark.store.PrintableText;
import io.tidemark.store.Storage;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.LogOwner;
import io.tidemark.store.commit.OperatorSkip;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.table.LogTables;
import io.tidemark.store.table.StagingDirectories;
import io.tidemark.store.table.StagingDirectories.Shown;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkConnector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A sink that writes raw Avro records to HDFS as Hive tables, exactly once. */
public final class TidemarkSinkConnector extends SinkConnector {
  /** Example: {@code 0.1.0}. {@code unreleased} if the classes were not loaded from an archive. */
  static final String VERSION =
      Optional.ofNullable(TidemarkSinkConnector.class.getPackage().getImplementationVersion())
          .orElse("unreleased");

  private static final Logger LOG = LoggerFactory.getLogger(TidemarkSinkConnector.class);

  private Map<String, String> properties = Map.of();
  private Optional<ConnectorRuntime> runtime = Optional.empty();

  @Override
  public void start(Map<String, String> props) {
    ConnectorConfig config = new ConnectorConfig(props);
    properties = config.given();
    ConfigChecks.warnings(config)
        .forEach(warning -> LOG.warn("{}: {}", config.connectorName(), warning));
    runtime = Optional.of(new ConnectorRuntime(config));
  }

  @Override
  public Class<? extends Task> taskClass() {
    return TidemarkSinkTask.class;
  }

  @Override
  public List<Map<String, String>> taskConfigs(int maxTasks) {
    List<Map<String, String>> configs = new ArrayList<>(maxTasks);
    for (int task = 0; task < maxTasks; task++) {
      Map<String, String> config = new HashMap<>(properties);
      config.put(ConnectorConfig.TASK_ID, Integer.toString(task));
      configs.add(config);
    }
    return configs;
  }

  @Override
  public Config validate(Map<String, String> connectorConfigs) {
    ConnectorConfig config = ConnectorConfig.unchecked(connectorConfigs);
    Config answer = super.validate(config.given());
    ConfigChecks.check(config, answer);
    if (config.getBoolean(ConnectorConfig.VALIDATION_CONNECT) && !config.hasConfigProviders()) {
      ServiceChecks.check(config, answer, ServiceChecks.USED);
      LayoutValidation.check(config, answer);
    }
    return answer;
  }

  /**
   * Moves topic-partitions forward by appending entries to their logs; Connect then moves the
   * consumer group. If records have landed, smaller offsets and resets are rejected.
   */
  @Override
  public boolean alterOffsets(
      Map<String, String> connectorConfig, Map<TopicPartition, @Nullable Long> offsets) {
    ConnectorConfig config = new ConnectorConfig(connectorConfig);
    try (Storage storage = ServiceClients.storage(config);
        TopicMetadata topics = ServiceClients.topics(config)) {
      new LogOwner(config.logId(), config.connectorName())
          .requireIfExists(storage, config.logsRoot().child(config.logId()));
      List<String> logged = CommitLog.topics(storage, config.logsRoot().child(config.logId()));
      List<OperatorSkip.OffsetRequest> requests = new ArrayList<>();
      for (Map.Entry<TopicPartition, @Nullable Long> request : offsets.entrySet()) {
        io.tidemark.store.TopicPartition moved = KafkaPartition.from(request.getKey());
        if (request.getValue() != null
            && !logged.contains(moved.topic())
            && !NamedTopics.of(config).contains(moved.topic())) {
          throw new IllegalArgumentException(
              "%s: the connector does not read this topic, so its offset cannot be altered. Correct kafka_topic in the request, or first add the topic to the configuration."
                  .formatted(moved));
        }
        CommitLog log = CommitLog.of(storage, config.logsRoot(), config.logId(), moved);
        requireAsNewAsTables(config, storage, moved, log);
        requests.add(
            new OperatorSkip.OffsetRequest(moved, Optional.ofNullable(request.getValue()), log));
      }
      new OperatorSkip(topics, config.consent(), Clock.systemUTC()).apply(requests);
      return true;
    } catch (IllegalArgumentException | CorruptLogException | IOException e) {
      throw new ConnectException(PrintableText.messageOf(e), PrintableFailure.of(e));
    }
  }

  /**
   * Rejects a log that lacks entries which its tables show. The entry of the altered offset would
   * take the number of a missing one, so the next task would not find that the log is older.
   */
  private static void requireAsNewAsTables(
      ConnectorConfig config, Storage storage, io.tidemark.store.TopicPartition of, CommitLog log)
      throws IOException, CorruptLogException {
    List<TableLayout> present =
        new TableSettings(config).tables(of.topic()).stream().map(Table::layout).toList();
    Set<TableLayout> all = new LinkedHashSet<>(present);
    all.addAll(new LogTables(storage, config.logsRoot().child(config.logId())).of(of.topic()));
    long last = log.last().map(NumberedEntry::number).orElse(0L);
    StagingDirectories staging = new StagingDirectories(storage, config.logId(), of);
    for (Map.Entry<TableLayout, Shown> table : staging.shown(all, present).entrySet()) {
      long shown = table.getValue().entry();
      if (shown > last) {
        throw new IllegalArgumentException(
            "%s: the offset cannot be altered: the log ends at entry %d, but %s shows that it had entry %d. The log was restored from an older copy, or entries were removed. Start the connector, do what the error of its task says, and alter the offset then."
                .formatted(of, last, table.getKey().stagingRoot(), shown));
      }
    }
  }

  @Override
  public ConfigDef config() {
    return ConnectorConfig.DEFINITION;
  }

  @Override
  public void stop() {
    properties = Map.of();
    runtime.ifPresent(ConnectorRuntime::close);
    runtime = Optional.empty();
  }

  @Override
  public String version() {
    return VERSION;
  }
}
