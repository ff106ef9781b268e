package io.tidemark.connect.config;

import io.tidemark.connect.table.Table;
import io.tidemark.connect.table.TableLayout;
import io.tidemark.connect.table.TableName;
import io.tidemark.connect.table.partition.FieldPartitioned;
import io.tidemark.connect.table.partition.PartitionSpec;
import io.tidemark.connect.table.partition.PathFormat;
import io.tidemark.connect.table.partition.TimePartitioned;
import io.tidemark.connect.table.partition.kinds.CustomPartitioned;
import io.tidemark.connect.table.partition.kinds.FieldAndTimePartitioned;
import io.tidemark.connect.table.partition.kinds.TopicPartitioned;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigException;

/** What a configuration says of its tables: their names, roots and partitioning. */
public final class TableSettings {
  private final ConnectorConfig config;
  private final PartitionSpec partitioning;

  /**
   * Reads the settings.
   *
   * @throws ConfigException the partitioner is one that validation refuses
   */
  public TableSettings(ConnectorConfig config) {
    this.config = config;
    this.partitioning = partitioning(config);
  }

  /** The table that is named after a topic. */
  public Table table(String topic) {
    return new Table(
        TableName.of(
            config.getString(ConnectorConfig.HIVE_DATABASE),
            config.getString(ConnectorConfig.HIVE_TABLE_NAME),
            topic),
        TableLayout.of(config.topicsRoot(), topic),
        partitioning);
  }

  /** How every table is partitioned. */
  public PartitionSpec partitioning() {
    return partitioning;
  }

  private static PartitionSpec partitioning(ConnectorConfig config) {
    String className = config.getString(ConnectorConfig.PARTITIONER_CLASS);
    Optional<PartitionerName> known = PartitionerName.of(className);
    if (known.isEmpty()) {
      try {
        return CustomPartitioned.load(className, settings(config.originalsStrings()));
      } catch (IllegalArgumentException e) {
        throw new ConfigException(
            ConnectorConfig.PARTITIONER_CLASS, className, String.valueOf(e.getMessage()));
      }
    }
    PartitionerName name = known.get();
    return switch (name) {
      case UNPARTITIONED -> PartitionSpec.NONE;
      case DEFAULT -> new TopicPartitioned();
      case HOURLY -> byTime(config, PathFormat.HOURLY, name.duration().orElseThrow());
      case DAILY -> byTime(config, PathFormat.DAILY, name.duration().orElseThrow());
      case TIME_BASED -> byPathFormat(config);
      case FIELD -> byField(config);
      case FIELD_AND_TIME -> new FieldAndTimePartitioned(byField(config), byPathFormat(config));
    };
  }

  /** What a class of the user's is configured with. */
  static Map<String, String> settings(Map<String, String> named) {
    Map<String, String> settings = new HashMap<>();
    named.forEach(
        (key, value) -> {
          if (key.startsWith(ConnectorConfig.PARTITIONER_CONFIG_PREFIX)) {
            settings.put(key.substring(ConnectorConfig.PARTITIONER_CONFIG_PREFIX.length()), value);
          }
        });
    return settings;
  }

  private static FieldPartitioned byField(ConnectorConfig config) {
    return FieldPartitioned.parse(config.getString(ConnectorConfig.PARTITION_FIELD_NAME));
  }

  private static TimePartitioned byPathFormat(ConnectorConfig config) {
    return byTime(
        config,
        config.getString(ConnectorConfig.PATH_FORMAT),
        Duration.ofMillis(config.getLong(ConnectorConfig.PARTITION_DURATION_MS)));
  }

  private static TimePartitioned byTime(
      ConnectorConfig config, String pathFormat, Duration duration) {
    boolean byField = config.getString(ConnectorConfig.TIMESTAMP_EXTRACTOR).equals("RecordField");
    return new TimePartitioned(
        PathFormat.parse(
            pathFormat, Locale.forLanguageTag(config.getString(ConnectorConfig.LOCALE))),
        ZoneId.of(config.getString(ConnectorConfig.TIMEZONE)),
        duration,
        byField
            ? Optional.of(config.getString(ConnectorConfig.TIMESTAMP_FIELD))
            : Optional.empty());
  }
}
