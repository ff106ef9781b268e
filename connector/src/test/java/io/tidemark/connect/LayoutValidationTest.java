package io.tidemark.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.store.LocalStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.table.LayoutFile;
import io.tidemark.store.table.LogTables;
import io.tidemark.store.table.MarkerFiles;
import io.tidemark.store.table.RecordedLayout;
import io.tidemark.store.table.StagingDirectories;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Validation compares the configuration with the tables in the store. */
final class LayoutValidationTest {
  @TempDir Path store;

  @Test
  void layoutOfEveryTableIsHeldAgainstTheConfiguration() throws Exception {
    record("quotes", FieldPartitioned.parse("region"));
    record("trades", PartitionSpec.NONE);

    Map<String, List<String>> errors =
        errors(Map.of("topics", "quotes, trades,orders", "avro.codec", "lzo"));

    assertThat(errors).containsOnlyKeys("partitioner.class", "avro.codec");
    assertThat(errors.getOrDefault("partitioner.class", List.of()))
        .singleElement()
        .asString()
        .contains("default.quotes")
        .contains("partition.field.name=region")
        .contains("partitioner.class=Unpartitioned")
        .contains("/topics/quotes/.tidemark/layout.json");
  }

  /** The pattern has keys as text: one that is renamed must be renamed there, too. */
  @Test
  void settingsOfLayoutsAreKeys() {
    assertThat(ConnectorConfig.DEFINITION.names())
        .filteredOn(key -> LayoutValidation.SETTINGS.matcher(key).matches())
        .containsExactlyInAnyOrder(
            ConnectorConfig.STORE_URL,
            ConnectorConfig.HADOOP_CONF_DIR,
            ConnectorConfig.TOPICS_DIR,
            ConnectorConfig.LOGS_DIR,
            ConnectorConfig.LOG_ID,
            ConnectorConfig.PARTITIONER_CLASS,
            ConnectorConfig.PARTITION_FIELD_NAME,
            ConnectorConfig.PARTITION_DURATION_MS,
            ConnectorConfig.PATH_FORMAT,
            ConnectorConfig.LOCALE,
            ConnectorConfig.TIMEZONE,
            ConnectorConfig.TIMESTAMP_EXTRACTOR,
            ConnectorConfig.TIMESTAMP_FIELD,
            ConnectorConfig.TIMESTAMP_UNIT,
            ConnectorConfig.HIVE_INTEGRATION,
            ConnectorConfig.HIVE_DATABASE,
            ConnectorConfig.HIVE_TABLE_NAME,
            ConnectorConfig.HIVE_TABLE_LOCATION,
            ConnectorConfig.TOPIC_MAP,
            ConnectorConfig.TOPIC_CAPTURES,
            ConnectorConfig.RECORD_MAP,
            ConnectorConfig.FIELD_NAME,
            ConnectorConfig.FIELD_MAP);
  }

  @Test
  void differenceIsToldAtItsSetting() throws Exception {
    record("quotes", FieldPartitioned.parse("region"));

    assertThat(
            errors(
                Map.of(
                    "topics.regex", "q.*|_t.*",
                    "partitioner.class", "FieldPartitioner",
                    "partition.field.name", "venue")))
        .containsOnlyKeys("partition.field.name");
    assertThat(
            errors(
                Map.of(
                    "topics.regex", "q.*",
                    "partitioner.class", "FieldPartitioner",
                    "partition.field.name", "region")))
        .isEmpty();
    assertThat(errors(Map.of("topics.regex", "t.*"))).isEmpty();
  }

  @Test
  void topicsThatMatchAPatternAreFoundByTheirTables() throws Exception {
    record("%5Ftrades", FieldPartitioned.parse("region"));

    assertThat(errors(Map.of("topics.regex", "_t.*"))).containsOnlyKeys("partitioner.class");
  }

  @Test
  void tableThatHiveKnowsInAnotherPlaceIsToldAtTheTopicsDirectory() throws Exception {
    TableName name = new TableName("default", "quotes");
    TableLayout former = new TableLayout(new StoragePath("/topics/quotes"));
    record("quotes", PartitionSpec.NONE);
    try (LocalStorage storage = new LocalStorage(store)) {
      new LogTables(storage, new StoragePath("/logs/quotes")).add(name, former, "quotes");
      new MarkerFiles(storage, former)
          .registered(
              name,
              new StagingDirectories(storage, "quotes", new TopicPartition("quotes", 0))
                  .ofClaim(1, new UUID(0, 1)));
    }
    Map<String, String> moved =
        Map.of(
            "topics",
            "quotes",
            "topics.dir",
            "elsewhere",
            "hive.integration",
            "true",
            "hive.metastore.uris",
            "thrift://hive:9083");

    assertThat(errors(moved)).containsOnlyKeys("topics.dir");
    assertThat(errors(Map.of("topics", "quotes", "topics.dir", "elsewhere"))).isEmpty();
    Map<String, String> renamed = new HashMap<>(moved);
    renamed.put("hive.table.name", "${topic}_2");
    assertThat(errors(renamed)).isEmpty();
  }

  @Test
  void storeThatIsNotThereKeepsNoConfigurationFromBeingTaken() {
    assertThat(errors(Map.of("topics", "quotes", "store.url", "hdfs://no-such-host.invalid:8020")))
        .isEmpty();
  }

  private void record(String directory, PartitionSpec partitioning) throws Exception {
    try (LocalStorage storage = new LocalStorage(store)) {
      new LayoutFile(storage, new TableLayout(new StoragePath("/topics/" + directory)))
          .put(RecordedLayout.of(partitioning));
    }
  }

  private Map<String, List<String>> errors(Map<String, String> changes) {
    Map<String, String> properties =
        new HashMap<>(
            Map.of(
                "name", "quotes",
                "connector.class", "io.tidemark.connect.TidemarkSinkConnector",
                "value.converter", ConnectorConfig.BYTE_ARRAY_CONVERTER,
                "consumer.override.isolation.level", "read_committed",
                "kafka.bootstrap.servers", "kafka:9092",
                "schema.registry.url", "http://registry:8081",
                "store.url", store.toUri().toString()));
    properties.putAll(changes);
    properties.put("validation.connect", "false");
    Config config = new TidemarkSinkConnector().validate(properties);
    LayoutValidation.check(ConnectorConfig.unchecked(properties), config);
    return config.configValues().stream()
        .filter(value -> !value.errorMessages().isEmpty())
        .collect(Collectors.toMap(ConfigValue::name, ConfigValue::errorMessages));
  }
}
