package io.tidemark.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.TidemarkSinkConnector;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.partition.PartitionSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigChecksTest {
  private static final Map<String, String> GOOD =
      Map.of(
          "name", "quotes",
          "connector.class", "io.tidemark.connect.TidemarkSinkConnector",
          "topics", "quotes",
          "value.converter", ConnectorConfig.BYTE_ARRAY_CONVERTER,
          "consumer.override.isolation.level", "read_committed",
          "validation.connect", "false",
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
        .containsOnlyKeys(
            "store.url",
            "kafka.bootstrap.servers",
            "schema.registry.url",
            "value.converter",
            "consumer.override.isolation.level");
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
  void eachSettingOfHadoopThatIsRefusedIsReported() {
    assertThat(
            errors(
                Map.of(
                    "hadoop.fs.hdfs.impl", "com.example.Evil",
                    "hadoop.dfs.replication", "${env.SECRET}",
                    "hadoop.dfs.client.socket-timeuot", "30000",
                    "hdfs.namenode.principal", "${env.SECRET}",
                    "hadoop.rpc.protection", "privacy")))
        .containsOnlyKeys(
            "hadoop.fs.hdfs.impl",
            "hadoop.dfs.replication",
            "hadoop.dfs.client.socket-timeuot",
            "hdfs.namenode.principal");
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
  void isolationIsSaidOnceOfTheConnectorOrOfItsWorkers() {
    assertThat(errors(Map.of("consumer.override.isolation.level", "")))
        .containsOnlyKeys("consumer.override.isolation.level");
    assertThat(errors(Map.of("consumer.override.isolation.level", "committed")))
        .containsOnlyKeys("consumer.override.isolation.level");
    assertThat(
            errors(
                Map.of(
                    "consumer.override.isolation.level", "",
                    "worker.isolation.level", "read_committed")))
        .isEmpty();
    assertThat(errors(Map.of("worker.isolation.level", "read_uncommitted")))
        .containsOnlyKeys("worker.isolation.level");
    assertThat(errors(Map.of("worker.isolation.level", "read_committed"))).isEmpty();
  }

  @Test
  void converterOfTheWorkerIsNotTrusted() {
    assertThat(errors(Map.of("value.converter", ""))).containsOnlyKeys("value.converter");
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
                    "avro.codec=snappy: snappy has no levels: give no level, or choose"
                        + " another codec.")));
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
                "parquet.codec", "snappy",
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
            "parquet.codec",
            "timestamp.extractor",
            "avro.codec",
            "log.id");
    assertThat(errors.getOrDefault("value.converter", List.of()).toString())
        .contains("value.converter=" + ConnectorConfig.BYTE_ARRAY_CONVERTER);
  }

  @Test
  void onlyFilesOfAvroAreWritten() {
    assertThat(errors(Map.of("format.class", "io.confluent.connect.hdfs.avro.AvroFormat")))
        .isEmpty();
    assertThat(errors(Map.of("format.class", "io.confluent.connect.hdfs.parquet.ParquetFormat")))
        .containsKey("format.class");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "kafka.", "consumer.override."})
  void configProvidersAreRefusedAndResolveNothing(String prefix) {
    Map<String, List<String>> errors =
        errors(
            Map.of(
                prefix + "config.providers",
                "x",
                prefix + "config.providers.x.class",
                "org.apache.kafka.common.config.provider.EnvVarConfigProvider",
                "validation.connect",
                "true",
                "kafka.bootstrap.servers",
                "${x:PATH}:9092"));

    assertThat(errors)
        .containsKeys(prefix + "config.providers", prefix + "config.providers.x.class");
    assertThat(errors.toString()).doesNotContain(System.getenv("PATH"));
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

  /** The client checks a text before it is parsed; the connector checks a table's schema. */
  @ParameterizedTest
  @ValueSource(strings = {"", "1000", "2000000"})
  void clientOfTheRegistryHasTheSameLimitOfASchema(String maxBytes) {
    Map<String, String> properties = new HashMap<>(GOOD);
    if (!maxBytes.isEmpty()) {
      properties.put("schema.max.bytes", maxBytes);
    }
    ConnectorConfig config = new ConnectorConfig(properties);
    assertThat(config.registry().http().maxSchemaBytes())
        .isEqualTo(config.schemaLimits().maxBytes());
  }

  @Test
  void keysThatAreNullAreNotGiven() {
    Map<String, String> properties = new HashMap<>(GOOD);
    for (String key : ConnectorConfig.DEFINITION.names()) {
      properties.putIfAbsent(key, null);
    }
    properties.put("format.class", null);
    properties.put("errors.tolerance", null);
    properties.put("flush.size", null);
    assertThat(validate(properties)).isEmpty();

    var connector = new TidemarkSinkConnector();
    connector.start(properties);
    assertThat(connector.taskConfigs(1)).allMatch(config -> !config.containsValue(null));
    connector.stop();
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
                    "the topics orders.new and orders-new would both be the Hive table default.orders_new."
                        + " Give each a hive.table.name of its own (topic.orders-new.hive.table.name); or, if they"
                        + " are to share the table, name both in topic2table.map.")));
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

  @ParameterizedTest
  @CsvSource({
    "Unpartitioned, ''",
    "DefaultPartitioner, partition",
    "io.confluent.connect.storage.partitioner.DefaultPartitioner, partition",
    "io.confluent.connect.hdfs.partitioner.HourlyPartitioner, 'year,month,day,hour'",
    "io.confluent.connect.storage.partitioner.DailyPartitioner, 'year,month,day'",
    "io.tidemark.store.partition.ByLength, 'source,length'",
  })
  void partitionerIsKnownByItsName(String className, String columns) {
    Map<String, String> properties = new HashMap<>(GOOD);
    properties.put("partitioner.class", className);
    if (className.endsWith("ByLength")) {
      properties.put("partitioner.config.step", "3");
    }

    assertThat(validate(properties)).isEmpty();
    assertThat(
            String.join(
                ",",
                new TableSettings(new ConnectorConfig(properties))
                    .partitionings()
                    .get(0)
                    .columns()))
        .isEqualTo(columns);
  }

  @Test
  void fieldsAndTimeNeedWhatEachOfThemNeeds() {
    String mixed = "FieldAndTimeBasedPartitioner";
    assertThat(errors(Map.of("partitioner.class", mixed)))
        .containsOnlyKeys("partition.field.name", "path.format", "partition.duration.ms");
    Map<String, String> properties = new HashMap<>(GOOD);
    properties.put("partitioner.class", mixed);
    properties.put("partition.field.name", "region");
    properties.put("path.format", "'dt'=yyyy-MM-dd");
    properties.put("partition.duration.ms", "86400000");
    properties.put("timestamp.extractor", "RecordField");
    properties.put("timestamp.field", "at");
    assertThat(validate(properties)).isEmpty();
    PartitionSpec spec = new TableSettings(new ConnectorConfig(properties)).partitionings().get(0);
    assertThat(spec.columns()).containsExactly("region", "dt");
    assertThat(spec.fieldPaths()).containsExactly("region", "at");

    properties.put("path.format", "'region'=yyyy-MM-dd");
    assertThat(validate(properties)).containsOnlyKeys("path.format");
  }

  @Test
  void settingThatAClassOfTheUsersRefusesIsAnErrorOfTheConfiguration() {
    assertThat(
            errors(
                    Map.of(
                        "partitioner.class",
                        "io.tidemark.store.partition.ByLength",
                        "partitioner.config.step",
                        "0"))
                .toString())
        .contains("step=0: it must be 1 or more", "Correct the class or its settings");
    assertThat(errors(Map.of("partitioner.clas", "FieldPartitioner")))
        .containsOnlyKeys("partitioner.clas");
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

  @ParameterizedTest
  @CsvSource({
    "batch.recrods, batch.records",
    "hive.databse, hive.database",
    "hive.metastore.uri, hive.metastore.uris",
    "partitioner.clas, partitioner.class",
    "locales, locale",
    "max.retrys, max.retries",
    "completeness.interval, completeness.interval.ms",
    "kafka.security.protocoll, kafka.security.protocol",
    "schema.registry.cache.sizes, schema.registry.cache.size",
  })
  void misspeltKeyIsToldWithTheOneThatIsNearest(String key, String nearest) {
    Map<String, List<String>> errors = errors(Map.of(key, "1"));
    assertThat(errors).containsOnlyKeys(key);
    assertThat(errors.toString()).contains(" " + nearest);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "description",
        "team.owner",
        "tasks.max.enforce",
        "connector.plugin.version",
        "value.converter.plugin.version",
        "value.converter.schemas.enable",
        "consumer.override.max.poll.records",
        "transforms.drop.headers",
        "predicates.old.type",
        "config.action.reload",
        "errors.log.enable",
        "request.header.X-Team",
        "kafka.sasl.login.callback.of.mine",
        "http.read.timeout.ms",
        "schema.id.placement",
        "auto.register.schemas",
        "normalize.schemas",
        "specific.avro.reader",
        "value.subject.name.strategy",
        "key.subject.name.strategy",
      })
  void keysOfOthersAreLeftAlone(String key) {
    assertThat(UnknownKeys.problem(key)).isEmpty();
  }

  @Test
  void configurationOfConfluentsSinkIsToldAllThatWouldBeOtherwise() {
    Map<String, String> theirs = new HashMap<>();
    theirs.put("name", "quotes");
    theirs.put("connector.class", "io.tidemark.connect.TidemarkSinkConnector");
    theirs.put("topics", "quotes");
    theirs.put("hdfs.url", "hdfs://namenode:8020");
    theirs.put("flush.size", "10000");
    theirs.put("rotate.interval.ms", "-1");
    theirs.put("storage.class", "io.confluent.connect.hdfs.storage.HdfsStorage");
    theirs.put("format.class", "io.confluent.connect.hdfs.avro.AvroFormat");
    theirs.put("directory.delim", "/");
    theirs.put("hive.integration", "true");
    theirs.put("hive.metastore.uris", "thrift://metastore:9083");
    theirs.put("hive.conf.dir", "/etc/hive/conf");
    theirs.put("schema.compatibility", "BACKWARD");
    theirs.put("topic.capture.groups.regex", "(.*)");
    theirs.put("hdfs.authentication.kerberos", "false");
    theirs.put("connect.hdfs.principal", "");
    theirs.put("partitioner.class", "io.confluent.connect.storage.partitioner.HourlyPartitioner");
    theirs.put("partition.duration.ms", "3600000");
    theirs.put("locale", "en-US");
    theirs.put("timezone", "UTC");
    theirs.put("validation.connect", "false");
    assertThat(validate(theirs))
        .containsOnlyKeys(
            "hive.conf.dir",
            "topic.capture.groups.regex",
            "timestamp.extractor",
            "avro.codec",
            "value.converter",
            "consumer.override.isolation.level",
            "kafka.bootstrap.servers",
            "schema.registry.url");
  }

  @Test
  void otherDefaultsAndKeysWithoutEffectAreWarnedOf() {
    Map<String, String> right = new HashMap<>(GOOD);
    assertThat(ConfigChecks.warnings(new ConnectorConfig(right))).isEmpty();
    right.remove("store.url");
    right.put("hdfs.url", "hdfs://namenode:8020");
    right.put("hadoop.home", "/opt/hadoop");
    right.put("confluent.topic.replication.factor", "1");
    assertThat(validate(right)).isEmpty();
    assertThat(ConfigChecks.warnings(new ConnectorConfig(right)))
        .hasSize(5)
        .anyMatch(each -> each.startsWith("hdfs.url: ") && each.contains("Set store.url"))
        .anyMatch(each -> each.startsWith("hadoop.home: "))
        .anyMatch(each -> each.startsWith("confluent.topic.replication.factor: "))
        .anyMatch(each -> each.startsWith("partitioner.class is not set"))
        .anyMatch(each -> each.startsWith("avro.codec is not set"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.apache.kafka.connect.transforms.RegexRouter",
        "org.apache.kafka.connect.transforms.TimestampRouter",
        "io.confluent.connect.transforms.ExtractTopic$Value",
        "org.apache.kafka.connect.transforms.InsertField$Value",
        "org.apache.kafka.connect.transforms.ReplaceField$Key",
        "org.apache.kafka.connect.transforms.ValueToKey",
      })
  void transformThatCannotTakeEffectIsRefused(String type) {
    assertThat(errors(Map.of("transforms", "one, other", "transforms.other.type", type)))
        .containsOnlyKeys("transforms.other.type");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.apache.kafka.connect.transforms.Filter",
        "org.apache.kafka.connect.transforms.DropHeaders",
        "org.apache.kafka.connect.transforms.InsertHeader",
        "org.apache.kafka.connect.transforms.HeaderFrom$Key",
        "com.example.Decrypt$Value",
      })
  void transformThatCanIsTaken(String type) {
    assertThat(errors(Map.of("transforms", "one", "transforms.one.type", type))).isEmpty();
  }

  @Test
  void whatIsSetForAnotherPartitionerHasNoEffect() {
    assertThat(
            errors(
                Map.of(
                    "path.format", "'dt'=yyyy-MM-dd",
                    "partition.duration.ms", "3600000",
                    "partition.field.name", "region",
                    "timestamp.field", "time")))
        .containsOnlyKeys(
            "path.format", "partition.duration.ms", "partition.field.name", "timestamp.field");
    assertThat(
            errors(
                Map.of(
                    "partitioner.class", "DailyPartitioner",
                    "partition.duration.ms", "86400000",
                    "timestamp.extractor", "RecordField",
                    "timestamp.field", "time")))
        .isEmpty();
    assertThat(errors(Map.of("timestamp.extractor", "RecordField")))
        .containsOnlyKeys("timestamp.extractor");
  }

  @Test
  void refusedValuesSayWhatToSet() {
    assertThat(errors(Map.of("partitioner.class", "Mine")).toString())
        .contains("Set one of Unpartitioned, DefaultPartitioner, ");
    assertThat(errors(Map.of("partitioner.class", "io.confluent.connect.Mine")).toString())
        .contains("Set one of Unpartitioned, DefaultPartitioner, ");
    assertThat(errors(Map.of("partitioner.class", "com.example.HourlyPartitioner")).toString())
        .contains("Put its jar into the plugin's directory");
    assertThat(errors(Map.of("timestamp.extractor", "Wallclock")).toString())
        .contains("has no effect with partitioner.class=Unpartitioned");
    assertThat(errors(Map.of("timestamp.extractor", "com.example.Mine")).toString())
        .contains("Set Record");
  }

  @ParameterizedTest
  @ValueSource(strings = {"US", "english", "", "en-XX", "en_US"})
  void localeIsALanguage(String locale) {
    assertThat(errors(Map.of("locale", locale))).containsOnlyKeys("locale");
  }

  @ParameterizedTest
  @ValueSource(strings = {"en", "en-GB", "de-DE", "fr"})
  void localesAreTaken(String locale) {
    assertThat(errors(Map.of("locale", locale))).isEmpty();
  }

  @Test
  void mistakeIsToldOnce() {
    assertThat(errors(Map.of("batch.records", "abc")).getOrDefault("batch.records", List.of()))
        .hasSize(1);
  }

  @Test
  void slashAtTheEndChangesNothing() {
    Map<String, String> properties = new HashMap<>(GOOD);
    properties.put("store.url", "hdfs://namenode:8020/");
    properties.put("topics.dir", "warehouse/raw/");
    properties.put("logs.dir", "logs/");
    properties.put("ledger.dir", "ledger/");
    properties.put("partitioner.class", "TimeBasedPartitioner");
    properties.put("path.format", "'dt'=yyyy-MM-dd/");
    properties.put("partition.duration.ms", "86400000");
    assertThat(validate(properties)).isEmpty();
    ConnectorConfig config = new ConnectorConfig(properties);
    assertThat(config.topicsRoot()).hasToString("/warehouse/raw");
    assertThat(config.logsRoot()).hasToString("/logs");
    properties.put("path.format", "'dt'=yyyy-MM-dd");
    assertThat(new TableSettings(config).partitionings().get(0))
        .hasToString(
            new TableSettings(new ConnectorConfig(properties)).partitionings().get(0).toString());
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
