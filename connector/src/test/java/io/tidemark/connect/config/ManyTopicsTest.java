package io.tidemark.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.TidemarkSinkConnector;
import io.tidemark.store.table.Compression;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One connector has settings of 1,800 topics and of their tables: 10,800 keys. */
@Timeout(120)
class ManyTopicsTest {
  private static final int TOPICS = 1_800;

  private static final Map<String, String> LEAST =
      Map.of(
          "name", "shop",
          "connector.class", "io.tidemark.connect.TidemarkSinkConnector",
          "value.converter", ConnectorConfig.BYTE_ARRAY_CONVERTER,
          "consumer.override.isolation.level", "read_committed",
          "validation.connect", "false",
          "kafka.bootstrap.servers", "kafka:9092",
          "schema.registry.url", "http://registry:8081",
          "store.url", "hdfs://namenode:8020");

  @Test
  void settingsOfAllAreValid() {
    assertThat(errors(many())).isEmpty();
  }

  @Test
  void settingsOfTopicsOfAPatternAreValid() {
    Map<String, String> properties = many();
    properties.remove("topics");
    properties.put("topics.regex", "shop[.]orders-[0-9]+");

    assertThat(errors(properties)).isEmpty();
  }

  @Test
  void mapOfAllTopicsAndSettingsOfAllAreValidTogether() {
    Map<String, String> properties = many();
    properties.put(
        ConnectorConfig.TOPIC_MAP,
        IntStream.range(0, TOPICS)
            .mapToObj(number -> topic(number) + ":" + table(number))
            .collect(Collectors.joining(",")));

    assertThat(errors(properties)).isEmpty();
  }

  @Test
  void rowsWithoutAValueAreValidInAll() {
    Map<String, String> properties = many();
    properties.put(ConnectorConfig.NULL_VALUES, "write");
    properties.put("key.converter", ConnectorConfig.BYTE_ARRAY_CONVERTER);

    assertThat(errors(properties)).isEmpty();
  }

  /** A topic with a wrong setting has no known table; the check of the tables does not fail. */
  @ParameterizedTest
  @CsvSource({
    "topic.shop.orders-900.avro.codec, lzo, must be one of",
    "topic.shop.orders-900.timezone, Europe/Nowhere, Use a name like UTC",
    "topic.shop.orders-9999.avro.codec, snappy, is not in topics",
    "table.sales.shop_orders_900.avro.codec, lzo, must be one of",
    "table.sales.shop_orders_900.timezone, Europe/Nowhere, Use a name like UTC",
    "table.Sales.avro.codec, snappy, is not the name of a table in Hive",
  })
  void oneWrongKeyIsFound(String key, String value, String problem) {
    Map<String, String> properties = many();
    properties.put(key, value);
    Map<String, List<String>> errors = errors(properties);

    assertThat(errors).containsOnlyKeys(key);
    assertThat(errors.getOrDefault(key, List.of())).singleElement().asString().contains(problem);
  }

  @Test
  void tableOfNoTopicIsFound() {
    Map<String, String> properties = many();
    properties.put("table.sales.nothing.avro.codec", "snappy");

    Map<String, List<String>> errors = errors(properties);

    assertThat(errors).containsOnlyKeys("table.sales.nothing");
    assertThat(String.valueOf(errors.get("table.sales.nothing")))
        .contains("[sales.shop_orders_0, sales.shop_orders_1, ", "] and 1780 more. Write ");
  }

  @Test
  void taskFindsTheTableOfEachTopic() {
    TableSettings settings = new TableSettings(new ConnectorConfig(many()));

    for (int number = 0; number < TOPICS; number++) {
      List<Table> tables = settings.tables(topic(number));
      assertThat(tables).hasSize(1);
      Table table = tables.get(0);
      assertThat(table.name()).hasToString(table(number));
      assertThat(table.layout().root()).hasToString("/warehouse/orders/" + number);
      assertThat(table.partitioning().columns()).containsExactly("year", "month", "day", "hour");
      assertThat(table.options().compression())
          .contains(new Compression("zstandard", OptionalInt.empty()));
      assertThat(settings.isReckoned(topic(number))).isTrue();
      assertThat(settings.hiveProperties(TableName.parse(table(number)))).isEmpty();
    }
    assertThat(settings.topicRules().named()).hasSize(TOPICS);
    assertThat(settings.partitionings()).isNotEmpty();
  }

  /** Otherwise the work for each topic would grow with the number of topics. */
  @Test
  void settingsOfATopicContainNoKeyOfAnother() {
    Map<String, String> properties = many();
    ScopedSettings scoped = new ScopedSettings(new ConnectorConfig(properties));

    assertThat(scoped.names(ScopedKey.Scope.TOPIC)).hasSize(TOPICS);
    assertThat(scoped.names(ScopedKey.Scope.TABLE)).hasSize(TOPICS);
    assertThat(scoped.connector().given()).hasSize(properties.size() - 6 * TOPICS);
    assertThat(scoped.over(ScopedKey.Scope.TOPIC, topic(7)).given())
        .hasSize(scoped.connector().given().size() + 3)
        .containsEntry("partitioner.class", "DailyPartitioner");
    assertThat(scoped.own(ScopedKey.Scope.TABLE, table(7)))
        .containsOnlyKeys("hive.table.location", "partitioner.class", "timezone");
    assertThat(scoped.over(ScopedKey.Scope.TOPIC, "other")).isSameAs(scoped.connector());
  }

  private static Map<String, String> many() {
    Map<String, String> properties = new HashMap<>(LEAST);
    properties.put(
        "topics",
        IntStream.range(0, TOPICS)
            .mapToObj(ManyTopicsTest::topic)
            .collect(Collectors.joining(",")));
    for (int number = 0; number < TOPICS; number++) {
      String ofTopic = "topic." + topic(number) + ".";
      properties.put(ofTopic + "hive.database", "sales");
      properties.put(ofTopic + "partitioner.class", "DailyPartitioner");
      properties.put(ofTopic + "avro.codec", "zstandard");
      String ofTable = "table." + table(number) + ".";
      properties.put(ofTable + "hive.table.location", "/warehouse/orders/" + number);
      properties.put(ofTable + "partitioner.class", "HourlyPartitioner");
      properties.put(ofTable + "timezone", "Europe/Berlin");
    }
    return properties;
  }

  private static String topic(int number) {
    return "shop.orders-" + number;
  }

  private static String table(int number) {
    return "sales.shop_orders_" + number;
  }

  private static Map<String, List<String>> errors(Map<String, String> properties) {
    return new TidemarkSinkConnector()
        .validate(properties).configValues().stream()
            .filter(value -> !value.errorMessages().isEmpty())
            .collect(Collectors.toMap(ConfigValue::name, ConfigValue::errorMessages));
  }
}
