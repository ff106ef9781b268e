package io.tidemark.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.TidemarkSinkConnector;
import io.tidemark.connect.storage.log.OperatorConsent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;

class ConfigChecksTest {
  private static final Map<String, String> GOOD =
      Map.of(
          "name", "quotes",
          "connector.class", "io.tidemark.connect.TidemarkSinkConnector",
          "topics", "quotes",
          "value.converter", ConnectorConfig.BYTE_ARRAY_CONVERTER,
          "kafka.bootstrap.servers", "kafka:9092",
          "schema.registry.url", "http://registry:8081",
          "store.url", "hdfs://namenode:8020");

  @Test
  void leastConfigurationIsGood() {
    assertThat(errors(Map.of())).isEmpty();
  }

  @Test
  void emptyConfigurationTellsEveryKeyThatIsMissing() {
    assertThat(validate(Map.of()))
        .containsOnlyKeys("store.url", "kafka.bootstrap.servers", "schema.registry.url");
  }

  @Test
  void ledgerLiesApartFromTablesAndLogs() {
    assertThat(errors(Map.of("ledger.dir", "logs/ledger"))).containsOnlyKeys("ledger.dir");
    assertThat(errors(Map.of("ledger.dir", "topics"))).containsOnlyKeys("ledger.dir");
    assertThat(errors(Map.of("ledger.dir", "warehouse", "topics.dir", "warehouse/raw")))
        .containsOnlyKeys("ledger.dir");
    assertThat(errors(Map.of("ledger.dir", "warehouse/ledger", "topics.dir", "warehouse/raw")))
        .isEmpty();
  }

  @Test
  void topicOfAnnouncedBatchesIsOneOfItsOwn() {
    assertThat(
            errors(
                Map.of(
                    "completeness.batches.topic", "batches.v2",
                    "completeness.batch.header", "x-batch",
                    "completeness.batches.expire.days", "30")))
        .isEmpty();
    assertThat(
            errors(
                Map.of(
                    "completeness.batches.topic", "not a topic",
                    "completeness.batch.header", " ",
                    "completeness.batches.expire.days", "0")))
        .containsOnlyKeys(
            "completeness.batches.topic",
            "completeness.batch.header",
            "completeness.batches.expire.days");
    assertThat(errors(Map.of("topics", "orders, batches", "completeness.batches.topic", "batches")))
        .containsOnlyKeys("completeness.batches.topic");
  }

  @Test
  void groupsAreReadWithEveryMistakeTold() {
    assertThat(
            errors(
                Map.of(
                    "completeness.groups",
                    "sales=default.orders, default.payments@payments; day=default.orders")))
        .isEmpty();
    for (String wrong :
        List.of(
            "sales",
            "sales=",
            "sales=orders",
            "sales=default.orders,default.orders",
            "sales=default.orders;sales=default.payments",
            "../sales=default.orders",
            "sales=default.orders;")) {
      assertThat(errors(Map.of("completeness.groups", wrong)))
          .as(wrong)
          .containsOnlyKeys("completeness.groups");
    }
  }

  @Test
  void deadLettersThatTheWorkerDropsCannotBeHeldOn() {
    Map<String, String> holding =
        Map.of(
            "completeness.hold.on",
            "lost, dead-lettered",
            "errors.tolerance",
            "all",
            "errors.deadletterqueue.topic.name",
            "dead");
    assertThat(errors(holding)).isEmpty();
    Map<String, String> withTransforms = new HashMap<>(holding);
    withTransforms.put("transforms", "filter");
    withTransforms.put("transforms.filter.type", "org.apache.kafka.connect.transforms.Filter");
    assertThat(errors(withTransforms)).containsOnlyKeys("completeness.hold.on");
    assertThat(errors(Map.of("completeness.hold.on", "everything")))
        .containsOnlyKeys("completeness.hold.on");
  }

  @Test
  void topicOfEventsIsAValidOneThatTheConnectorUsesForNothingElse() {
    String key = "completeness.events.topic";
    assertThat(errors(Map.of(key, "ledger-events", "topics", "orders,payments"))).isEmpty();
    assertThat(errors(Map.of(key, "", "completeness.enabled", "false"))).isEmpty();
    for (String wrong : List.of("ledger events", "a/b", "..", "e".repeat(250))) {
      assertThat(errors(Map.of(key, wrong))).as(wrong).containsOnlyKeys(key);
    }
    assertThat(errors(Map.of(key, "payments", "topics", "orders, payments"))).containsOnlyKeys(key);
    assertThat(errors(Map.of(key, "dead", "errors.deadletterqueue.topic.name", "dead")))
        .containsOnlyKeys(key);
    assertThat(errors(Map.of(key, "ledger-events", "completeness.enabled", "false")))
        .containsOnlyKeys(key);
  }

  @Test
  void topicOfEventsAndOfThePatternAreApartAndAllMistakesAreTold() {
    Map<String, String> wrong =
        Map.of(
            "completeness.events.topic",
            "orders",
            "topics",
            "orders",
            "errors.deadletterqueue.topic.name",
            "orders",
            "completeness.enabled",
            "false");
    assertThat(String.valueOf(errors(wrong).get("completeness.events.topic")))
        .contains("its own events")
        .contains("dead letter topic")
        .contains("completeness.enabled");
    for (String regex : List.of("orders.*", ".*")) {
      Map<String, String> byPattern = new HashMap<>(GOOD);
      byPattern.remove("topics");
      byPattern.put("topics.regex", regex);
      byPattern.put("completeness.events.topic", "orders-events");
      assertThat(validate(byPattern)).as(regex).containsOnlyKeys("completeness.events.topic");
    }
  }

  @Test
  void isolationOfWorkersMayNotContradictTheConnectorsOwn() {
    assertThat(
            errors(
                Map.of(
                    "worker.isolation.level",
                    "read_uncommitted",
                    "consumer.override.isolation.level",
                    "read_committed")))
        .containsOnlyKeys("worker.isolation.level");
    assertThat(errors(Map.of("worker.isolation.level", "read_committed"))).isEmpty();
  }

  @Test
  void levelIsHeldAgainstTheCodec() {
    assertThat(errors(Map.of("avro.codec", "zstandard", "avro.codec.level", "-5"))).isEmpty();
    assertThat(errors(Map.of("avro.codec", "bzip2"))).isEmpty();
    assertThat(errors(Map.of("avro.codec", "xz", "avro.codec.level", "12")))
        .containsOnly(
            Map.entry(
                "avro.codec.level", List.of("avro.codec=xz: xz has the levels 0 to 9, not 12.")));
    assertThat(errors(Map.of("avro.codec.level", "1")))
        .containsOnly(
            Map.entry(
                "avro.codec.level",
                List.of(
                    "avro.codec=snappy: snappy has no levels: give none, or choose another"
                        + " codec.")));
    assertThat(errors(Map.of("avro.codec", "deflate", "avro.codec.level", "best")))
        .containsOnlyKeys("avro.codec.level");
  }

  @Test
  void everyErrorComesBackAtOnce() {
    Map<String, List<String>> errors =
        errors(
            Map.of(
                "store.url", "s3a://bucket",
                "value.converter", "io.confluent.connect.avro.AvroConverter",
                "errors.tolerance", "all",
                "hive.integration", "true",
                "partitioner.class",
                    "io.confluent.connect.storage.partitioner.TimeBasedPartitioner",
                "timezone", "Mars/Olympus",
                "batch.records", "0",
                "flush.size", "1000",
                "name", "quotes/../orders"));
    assertThat(errors)
        .containsOnlyKeys(
            "store.url",
            "value.converter",
            "errors.tolerance",
            "hive.metastore.uris",
            "path.format",
            "partition.duration.ms",
            "timezone",
            "batch.records",
            "flush.size",
            "log.id");
    assertThat(errors.getOrDefault("value.converter", List.of()).toString())
        .contains("value.converter=" + ConnectorConfig.BYTE_ARRAY_CONVERTER);
  }

  @Test
  void onlyFilesOfAvroAreWritten() {
    assertThat(errors(Map.of("format.class", "io.confluent.connect.hdfs.avro.AvroFormat")))
        .isEmpty();
    assertThat(errors(Map.of("format.class", "io.confluent.connect.hdfs.parquet.ParquetFormat")))
        .containsOnlyKeys("format.class");
  }

  @Test
  void aliasOfAnOlderSinkIsTaken() {
    Map<String, String> properties = new HashMap<>(GOOD);
    properties.remove("store.url");
    properties.put("hdfs.url", "hdfs://namenode:8020");
    assertThat(validate(properties)).isEmpty();
    assertThat(new ConnectorConfig(properties).getString("store.url"))
        .isEqualTo("hdfs://namenode:8020");
  }

  @Test
  void keysThatAreNullAreNotGiven() {
    Map<String, String> properties = new HashMap<>(GOOD);
    for (String key : new ConnectorConfig(GOOD).values().keySet()) {
      properties.putIfAbsent(key, null);
    }
    properties.put("format.class", null);
    properties.put("errors.tolerance", null);
    properties.put("flush.size", null);
    assertThat(validate(properties)).isEmpty();

    var connector = new TidemarkSinkConnector();
    connector.start(properties);
    assertThat(connector.taskConfigs(1)).allMatch(config -> !config.containsValue(null));
  }

  @Test
  void weekYearTrapIsReadAsYearOfEra() {
    assertThat(
            errors(
                Map.of(
                    "partitioner.class", "TimeBasedPartitioner",
                    "path.format", "'year'=YYYY/'month'=MM",
                    "partition.duration.ms", "3600000")))
        .isEmpty();
  }

  @Test
  void severalTopicsNeedTheTopicInTheTablesName() {
    assertThat(errors(Map.of("topics", "quotes,orders", "hive.table.name", "all_of_it")))
        .containsOnlyKeys("hive.table.name");
  }

  @Test
  void everyProblemOfTheRegistryIsToldUnderItsKey() {
    assertThat(
            errors(
                Map.of(
                    "schema.registry.api", "avro-1124",
                    "schema.registry.id.format", "confluent",
                    "schema.registry.subject.template", "${tpic}",
                    "bearer.auth.credentials.source", "STATIC_TOKEN",
                    "max.retries", "many")))
        .containsOnlyKeys(
            "schema.registry.id.format",
            "schema.registry.subject.template",
            "bearer.auth.token",
            "max.retries");
  }

  @Test
  void topicsOfOneHiveTableAreRefused() {
    assertThat(errors(Map.of("topics", "orders.new,orders-new")))
        .containsOnly(
            Map.entry(
                "hive.table.name",
                List.of(
                    "the topics orders.new and orders-new would both be the Hive table orders_new."
                        + " Give each a connector and a hive.table.name of its own.")));
  }

  @Test
  void fieldPartitionerNeedsFields() {
    assertThat(errors(Map.of("partitioner.class", "FieldPartitioner")))
        .containsOnlyKeys("partition.field.name");
    assertThat(
            errors(
                Map.of(
                    "partitioner.class",
                        "io.confluent.connect.storage.partitioner.FieldPartitioner",
                    "partition.field.name", "region, stop.line")))
        .isEmpty();
  }

  @Test
  void tombstonesNeedADeadLetterTopicToGoThere() {
    assertThat(errors(Map.of("behavior.on.null.values", "dead-letter")))
        .containsOnlyKeys("behavior.on.null.values");
    assertThat(
            errors(
                Map.of(
                    "behavior.on.null.values", "dead-letter",
                    "errors.tolerance", "all",
                    "errors.deadletterqueue.topic.name", "bad-quotes")))
        .isEmpty();
  }

  @Test
  void operatorsStepsAreNamedByTheirUuids() {
    String one = "8c6d8dc8-7dc1-4a38-8e83-601ebc9ad64c";
    String other = "72307dd4-6d4e-4edb-963a-345535b9b4b9";
    Map<String, String> properties = new HashMap<>(GOOD);
    properties.put("operator.consent", one + ", " + other);

    assertThat(validate(properties)).isEmpty();
    assertThat(new ConnectorConfig(properties).consent().steps())
        .containsExactlyInAnyOrder(UUID.fromString(one), UUID.fromString(other));
    assertThat(new ConnectorConfig(GOOD).consent()).isEqualTo(OperatorConsent.NONE);
    assertThat(errors(Map.of("operator.consent", "all"))).containsOnlyKeys("operator.consent");
  }

  @Test
  void secretsAreInNoMessage() {
    Map<String, List<String>> errors =
        errors(
            Map.of(
                "basic.auth.credentials.source", "USER_INFO",
                "basic.auth.user.info", "hunter2",
                "schema.registry.url", "http://ann:hunter2@registry:99999"));
    assertThat(errors).isNotEmpty();
    assertThat(errors.toString()).doesNotContain("hunter2");
  }

  private static Map<String, List<String>> errors(Map<String, String> changes) {
    Map<String, String> properties = new HashMap<>(GOOD);
    properties.putAll(changes);
    return validate(properties);
  }

  private static Map<String, List<String>> validate(Map<String, String> properties) {
    return new TidemarkSinkConnector()
        .validate(properties).configValues().stream()
            .filter(value -> !value.errorMessages().isEmpty())
            .collect(Collectors.toMap(ConfigValue::name, ConfigValue::errorMessages));
  }
}
