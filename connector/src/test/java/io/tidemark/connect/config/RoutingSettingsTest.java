package io.tidemark.connect.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.avro.mapping.SchemaMapping;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.TopicRules;
import io.tidemark.connect.staging.Routing;
import io.tidemark.connect.staging.UnroutedException;
import io.tidemark.store.schema.SchemaCompatibility;
import io.tidemark.store.schema.SchemaRules;
import io.tidemark.store.table.Compression;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings of routing, and the tables of topics and records that follow from them. */
class RoutingSettingsTest {
  private static final Map<String, String> LEAST =
      Map.of(
          "connector.class", "io.tidemark.connect.TidemarkSinkConnector",
          "name", "orders",
          "topics", "orders,orders-eu,clicks",
          "value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter",
          "consumer.override.isolation.level", "read_committed",
          "store.url", "hdfs://namenode:8020",
          "kafka.bootstrap.servers", "kafka:9092",
          "schema.registry.url", "http://registry:8081");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Topics that are not routed keep the tables that they had before routing existed.
        "hive.database=raw | orders-eu | raw.orders_eu /topics/orders-eu",
        "topics=clicks;hive.table.name=c | clicks | default.c /topics/clicks",
        "topic2table.map=orders:sales.orders,orders-eu:sales.orders | orders | sales.orders /topics/sales+orders",
        "topic2table.map=orders:sales.orders,orders-eu:sales.orders | orders-eu | sales.orders /topics/sales+orders",
        "topic2table.map=orders:sales.orders,orders-eu:sales.orders | clicks | default.clicks /topics/clicks",
        "hive.database=raw;topic2table.map=*:all | clicks | raw.all /topics/raw+all",
        "topic2table.map=orders:Big_Orders | orders | default.big_orders /topics/default+big_orders",
        "topic.capture.groups.regex=([a-z]+)(-.*)?;hive.table.name=${1} | orders-eu | default.orders /topics/default+orders",
        "topic.capture.groups.regex=([a-z]+)(-.*)?;hive.table.name=${1} | orders | default.orders /topics/default+orders",
        "topic.capture.groups.regex=([a-z]+)(-.*)?;hive.database=${1}_raw;completeness.hive.database=l | orders-eu | orders_raw.orders_eu /topics/orders-eu",
        "topic.orders-eu.hive.table.name=eu | orders-eu | default.eu /topics/default+eu",
        "topic.orders-eu.hive.database=eu | orders-eu | eu.orders_eu /topics/orders-eu",
      })
  void topicHasItsTable(String settings, String topic, String table) {
    assertThat(errors(with(settings))).isEmpty();
    assertThat(shown(settings(settings).tables(topic))).containsExactly(table);
  }

  @Test
  void topicThatNoGroupsMatchHasNoTable() {
    TableSettings settings =
        settings("topic.capture.groups.regex=orders-([a-z]+);hive.table.name=${1}");

    assertThat(settings.tables("clicks")).isEmpty();
    assertThat(unrouted(settings.routing("clicks"), "any.Name"))
        .hasMessageContainingAll("does not match the topic clicks", "name the topic in")
        .matches(unrouted -> !unrouted.deadLetters());
  }

  @Test
  void recordsGoByTheirNames() throws UnroutedException {
    TableSettings settings =
        settings("record2table.map=shop.Placed:placed,shop.Paid:money.paid,*:${topic}_rest");

    assertThat(shown(settings.tables("orders")))
        .containsExactlyInAnyOrder(
            "default.placed /topics/default+placed",
            "money.paid /topics/money+paid",
            "default.orders_rest /topics/default+orders_rest");
    assertThat(name(settings.routing("orders").route(record("shop.Paid")))).isEqualTo("money.paid");
    assertThat(name(settings.routing("orders").route(record("shop.Sent"))))
        .isEqualTo("default.orders_rest");
    assertThat(name(settings.routing("clicks").route(record("Paid"))))
        .isEqualTo("default.clicks_rest");
  }

  @Test
  void recordsWithoutATableAreRefusedOrDeadLetters() {
    String map = "record2table.map=shop.Placed:placed";

    assertThat(unrouted(settings(map).routing("orders"), "shop.Sent"))
        .hasMessageContainingAll("record2table.map names no table", "shop.Sent", "Add it there")
        .matches(unrouted -> !unrouted.deadLetters());
    TableSettings deadLetters = settings(map + ";behavior.on.unrouted.records=dead-letter");
    assertThat(unrouted(deadLetters.routing("orders"), "shop.Sent"))
        .matches(UnroutedException::deadLetters);
  }

  /** A value may be a star, or begin or end with a space. */
  @Test
  void backslashTakesTheMeaningOfWhatFollows() {
    assertThat(NameMap.parse("\\*:starred, eu : e ,\\ a\\ :spaced,b\\:c\\,d\\\\:odd"))
        .isEqualTo(
            new NameMap(
                Map.of("*", "starred", "eu", "e", " a ", "spaced", "b:c,d\\", "odd"),
                Optional.empty()));
    assertThat(NameMap.parse("\\*:x,*:y"))
        .isEqualTo(new NameMap(Map.of("*", "x"), Optional.of("y")));
  }

  @Test
  void topicOfTheMapGoesByThatAlone() {
    TableSettings settings = settings("topic2table.map=clicks:web;record2table.map=*:${topic}_r");

    assertThat(shown(settings.tables("clicks"))).containsExactly("default.web /topics/default+web");
    assertThat(shown(settings.tables("orders")))
        .containsExactly("default.orders_r /topics/default+orders_r");
  }

  @Test
  void settingsOfATableStandOverThoseOfATopicAndTheseOverTheConnectors() {
    TableSettings settings =
        settings(
            "partitioner.class=DailyPartitioner;topic.orders.partitioner.class=HourlyPartitioner"
                + ";topic.orders.timezone=Asia/Tokyo;table.default.clicks.partitioner.class=DefaultPartitioner"
                + ";topic.clicks.partitioner.class=HourlyPartitioner");

    assertThat(settings.tables("orders-eu").get(0).partitioning().columns())
        .containsExactly("year", "month", "day");
    assertThat(settings.tables("orders").get(0).partitioning().columns())
        .containsExactly("year", "month", "day", "hour");
    assertThat(settings.tables("orders").get(0).partitioning().toString()).contains("Asia/Tokyo");
    assertThat(settings.tables("clicks").get(0).partitioning().columns())
        .containsExactly("partition");
    assertThat(settings.partitionings()).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hive.database=raw;hive.table.location=/warehouse/${database}.db/${table} | orders-eu | raw.orders_eu /warehouse/raw.db/orders_eu",
        "hive.table.location=/raw/${topic}/data/ | orders-eu | default.orders_eu /raw/orders-eu/data",
        "topic.capture.groups.regex=([a-z]+)(-.*)?;hive.table.name=${topic};hive.table.location=/raw/${1}/${table} | orders-eu | default.orders_eu /raw/orders/orders_eu",
        "topic.orders-eu.hive.table.location=/eu/orders | orders-eu | default.orders_eu /eu/orders",
        "topic.orders-eu.hive.table.location=/eu/orders | orders | default.orders /topics/orders",
        "topic2table.map=orders:o,orders-eu:o;table.default.o.hive.table.location=/o | orders-eu | default.o /o",
        "topic2table.map=orders:o,orders-eu:o;hive.table.location=/w/${table} | orders | default.o /w/o",
        "topics=_orders;hive.table.location=/w/${topic} | _orders | default._orders /w/%5Forders",
      })
  void tableLiesWhereItIsSetTo(String settings, String topic, String table) {
    assertThat(errors(with(settings))).isEmpty();
    assertThat(shown(settings(settings).tables(topic))).containsExactly(table);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "on.schema.conflict=table:_2 | default.orders /topics/orders | default.orders_2 /topics/default+orders_2",
        "on.schema.conflict=table:_2;topic2table.map=orders:raw.o | raw.o /topics/raw+o | raw.o_2 /topics/raw+o_2",
        "on.schema.conflict=table:_2;hive.table.location=/w/${database}/${table} | default.orders /w/default/orders | default.orders_2 /w/default/orders_2",
        "table.default.orders.on.schema.conflict=table:_2 | default.orders /topics/orders | default.orders_2 /topics/default+orders_2",
        "topic.orders.on.schema.conflict=table:_2;record2table.map=*:${topic}_r | default.orders_r /topics/default+orders_r | default.orders_r_2 /topics/default+orders_r_2",
      })
  void tableForOtherSchemasStandsBesideEachTable(String settings, String first, String second) {
    assertThat(errors(with(settings))).isEmpty();
    List<Table> tables = settings(settings).tables("orders");
    assertThat(shown(tables)).containsExactly(first, second);
    assertThat(settings(settings).routing("orders").beside(tables.get(0))).contains(tables.get(1));
    assertThat(settings(settings).routing("orders").beside(tables.get(1))).isEmpty();
  }

  /** Otherwise a field that the first table hides would land as it is in the second one. */
  @Test
  void secondTableMapsTypesAndFieldsAsTheFirstUnlessItHasItsOwn() {
    String first =
        "on.schema.conflict=table:_2;table.default.orders.fields.exclude=note"
            + ";table.default.orders.fields.mask=ssn;topic.orders.types=hive";
    SchemaMapping hidden = hidden("ssn");

    assertThat(mappings(first)).containsExactly(hidden, hidden);
    assertThat(mappings(first + ";table.default.orders_2.fields.mask=name"))
        .containsExactly(hidden, hidden("name"));
  }

  private static SchemaMapping hidden(String masked) {
    return SchemaMapping.builder().exclude("note").set("hive").mask(masked, "****").build();
  }

  private static List<SchemaMapping> mappings(String settings) {
    assertThat(errors(with(settings))).isEmpty();
    return settings(settings).tables("orders").stream()
        .map(table -> table.options().mapping())
        .toList();
  }

  @Test
  void bothTablesNameTheViewOverThem() {
    TableSettings settings =
        settings("table.default.orders.on.schema.conflict=table:_2,view:_all;topics=orders,clicks");
    assertThat(settings.tables("orders"))
        .extracting(table -> table.name().toString())
        .containsExactly("default.orders", "default.orders_2");

    for (String table : List.of("orders", "orders_2")) {
      assertThat(settings.hiveProperties(new TableName("default", table)))
          .containsExactly(
              Map.entry("tidemark.view", "default.orders,default.orders_2,default.orders_all"));
    }
    settings.tables("clicks");
    assertThat(settings.hiveProperties(new TableName("default", "clicks"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"table:_2,view:_2", "table:_2,view:", "dead-letter,view:_all", "view:_a"})
  void viewNeedsASecondTableAndANameOfItsOwn(String value) {
    assertThat(errors(with("on.schema.conflict=" + value)).toString())
        .contains("table:SUFFIX,view:ANOTHER");
  }

  @Test
  void tablesHaveTheirOwnRulesForOtherSchemas() {
    TableSettings settings =
        settings(
            "schema.compatibility=FULL;table.default.orders.schema.compatibility=FORWARD"
                + ";topic.clicks.on.schema.conflict=dead-letter");

    assertThat(settings.tables("orders").get(0).options().schemaRules())
        .isEqualTo(new SchemaRules(SchemaCompatibility.FORWARD, false));
    assertThat(settings.tables("clicks").get(0).options().schemaRules())
        .isEqualTo(new SchemaRules(SchemaCompatibility.FULL, true));
  }

  /** Otherwise the two tables would be one to everyone except the user. */
  @Test
  void topicsWhoseTablesHiveCannotTellApartHaveNotOneTableByTheirLocation() {
    String settings = "topics=a-b,a.b;hive.table.location=/w/${table}";

    assertThat(errors(with(settings)).toString())
        .contains("the topics a-b and a.b would both be the Hive table default.a_b");
    Table one = settings(settings).tables("a-b").get(0);
    Table other = settings(settings).tables("a.b").get(0);
    assertThat(one.layout().root()).isEqualTo(other.layout().root());
    assertThat(one.layout()).isNotEqualTo(other.layout());
  }

  @Test
  void topicsAndTablesHaveTheirOwnCodecAndCompleteness() {
    TableSettings settings =
        settings(
            "avro.codec=deflate;avro.codec.level=6;topic.orders.avro.codec=snappy"
                + ";table.default.clicks.avro.codec=zstandard;table.default.clicks.avro.codec.level=5"
                + ";topic.orders.completeness.enabled=false;completeness.empty.partitions=true"
                + ";table.default.clicks.completeness.success.file=false"
                + ";table.default.clicks.completeness.empty.partitions=false"
                + ";topic.clicks.completeness.idle=hold;topic.clicks.completeness.hold.on=lost"
                + ";hive.table.properties=owner=all;table.default.clicks.hive.table.properties=owner=web");

    assertThat(settings.tables("orders").get(0).options())
        .isEqualTo(
            new TableOptions(
                Optional.of(new Compression("snappy", OptionalInt.empty())),
                false,
                true,
                true,
                true,
                SchemaMapping.NONE,
                SchemaRules.DEFAULT));
    assertThat(settings.tables("clicks").get(0).options())
        .isEqualTo(
            new TableOptions(
                Optional.of(new Compression("zstandard", OptionalInt.of(5))),
                true,
                false,
                false,
                true,
                SchemaMapping.NONE,
                SchemaRules.DEFAULT));
    assertThat(settings.tables("orders-eu").get(0).options())
        .isEqualTo(
            new TableOptions(
                Optional.empty(), true, true, true, true, SchemaMapping.NONE, SchemaRules.DEFAULT));
    assertThat(settings.outsideHive()).isEmpty();
    TableSettings hive =
        settings(
            "hive.integration=true;hive.metastore.uris=thrift://host:9083"
                + ";topic.orders.hive.integration=false"
                + ";table.default.clicks.hive.integration=false");
    assertThat(hive.outsideHive())
        .containsExactlyInAnyOrder(
            new TableName("default", "orders"), new TableName("default", "clicks"));
    assertThat(hive.tables("orders").get(0).options().inHive()).isFalse();
    assertThat(hive.tables("orders-eu").get(0).options().inHive()).isTrue();
    assertThat(settings.isReckoned("orders")).isFalse();
    assertThat(settings.isReckoned("clicks")).isTrue();
    assertThat(settings.topicRules().named()).containsOnlyKeys("orders", "clicks");
    assertThat(settings.topicRules().of("clicks"))
        .isEqualTo(new TopicRules.Rule(true, Set.of(HoldKind.LOST)));
    assertThat(settings.hiveProperties(new TableName("default", "clicks")))
        .containsExactly(Map.entry("owner", "web"));
    assertThat(settings.hiveProperties(new TableName("default", "orders")))
        .containsExactly(Map.entry("owner", "all"));
  }

  @Test
  void tablesThatAreLaidOutAlikeShareOneLayout() {
    List<Table> tables =
        settings(
                "field2table.field=type;field2table.map=a:a,b:b;partitioner.class=HourlyPartitioner")
            .tables("orders");

    assertThat(tables).hasSize(2);
    assertThat(tables.get(0).partitioning()).isSameAs(tables.get(1).partitioning());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // A topic returns to the default, and needs no setting that others need.
        "partitioner.class=DailyPartitioner;timestamp.extractor=RecordField;timestamp.field=at;topic.clicks.timestamp.extractor=Record",
        "partitioner.class=DailyPartitioner;timestamp.extractor=RecordField;timestamp.field=at;topic.clicks.partitioner.class=Unpartitioned",
        "partitioner.class=FieldPartitioner;partition.field.name=region;topic.clicks.partitioner.class=DailyPartitioner",
        "partitioner.class=TimeBasedPartitioner;path.format='dt'=yyyy;partition.duration.ms=86400000;table.default.clicks.partitioner.class=Unpartitioned",
        // The settings of a table override those of its topics.
        "avro.codec=snappy;topic.orders.avro.codec=zstandard;table.default.orders.avro.codec.level=9",
        "topic.orders.partitioner.class=DailyPartitioner;table.default.orders.timestamp.extractor=RecordField;table.default.orders.timestamp.field=at",
        "behavior.on.null.values=write;key.converter=org.apache.kafka.connect.converters.ByteArrayConverter;columns.kafka=topic,partition;partitioner.class=FieldPartitioner;partition.field.name=kafka_topic,kafka_deleted,kafka_key_id",
      })
  void settingsOfOneStandOverThoseOfAll(String settings) {
    assertThat(errors(with(settings))).isEmpty();
    settings(settings).tables("clicks");
    settings(settings).tables("orders");
    settings(settings).partitionings();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "avro.codec=deflate;topic.orders.avro.codec=snappy;table.default.orders.avro.codec.level=9 | table.default.orders.avro.codec.level | has no levels | table.default.orders.avro.codec.level=",
        "topic.orders.timestamp.field=at | topic.orders.timestamp.field | has no effect | topic.orders.timestamp.extractor=RecordField;topic.orders.partitioner.class=DailyPartitioner",
        "errors.tolerance=all;errors.deadletterqueue.topic.name=dead;transforms=t;transforms.t.type=org.apache.kafka.connect.transforms.InsertHeader;transforms.t.header=a;transforms.t.value.literal=b;topic.orders.completeness.hold.on=dead-lettered | topic.orders.completeness.hold.on | before the connector sees it | topic.orders.completeness.hold.on=lost",
        "behavior.on.null.values=write;key.converter=org.apache.kafka.connect.converters.ByteArrayConverter;partitioner.class=DailyPartitioner;timestamp.extractor=RecordField | timestamp.field | has no field timestamp | timestamp.field=kafka_key_at",
        "hive.table.location=warehouse/${table} | hive.table.location | an absolute path in the store | hive.table.location=/warehouse/${table}",
        "hive.table.location=/w/_hidden/${table} | hive.table.location | an absolute path in the store | hive.table.location=/w/hidden/${table}",
        "hive.table.location=/w/${name} | hive.table.location | has no meaning | hive.table.location=/w/${table}",
        "hive.table.location=/w/${1} | hive.table.location | has no meaning | hive.table.location=/w/${table}",
        "hive.table.location=/warehouse | hive.table.location | such as with ${database} and ${table} | hive.table.location=/warehouse/${table}",
        "topic.orders.hive.table.location=/w/a;topic.clicks.hive.table.location=/w/a/b | hive.table.location | one in the other | topic.clicks.hive.table.location=/w/b",
        "hive.table.location=/topics/${table} | hive.table.location | overlap | hive.table.location=/w/${table}",
        "hive.table.location=/${table}/data;logs.dir=orders | hive.table.location | overlap | hive.table.location=/w/${table}",
        "topic.orders.hive.table.location=/ledger/o | topic.orders.hive.table.location | overlap | topic.orders.hive.table.location=/o",
        "topic.orders.avro.codec=lzo | topic.orders.avro.codec | must be one of | topic.orders.avro.codec=snappy",
        "table.default.orders.avro.codec=snappy;table.default.orders.avro.codec.level=3 | table.default.orders.avro.codec.level | has no levels | table.default.orders.avro.codec=deflate",
        "topic.orders.hive.table.properties=a=b | topic.orders.hive.table.properties | continues with a name and one of | topic.orders.hive.table.properties=",
        "topic2table.map=orders:o,clicks:o;topic.clicks.completeness.enabled=false | completeness.enabled | Set them by table.default.o.completeness.enabled | topic.clicks.completeness.enabled=;table.default.o.completeness.enabled=false",
        "topics=orders;record2table.map=a:a,b:b;table.default.a.completeness.enabled=false | completeness.enabled | set topic.orders.completeness.enabled instead | table.default.a.completeness.enabled=;topic.orders.completeness.enabled=false",
        "completeness.groups=g=default.orders,default.clicks;topic.orders.completeness.enabled=false | completeness.groups | Leave the table out of the group | topic.orders.completeness.enabled=",
        "topic2table.map=orders | topic2table.map | is not like name:table | topic2table.map=orders:o",
        "topic2table.map=orders:o,orders:p | topic2table.map | named twice. Remove one | topic2table.map=orders:o",
        "topic2table.map=ordres:o | topic2table.map | is not in topics, and topics.regex does not match it. Correct the name | topic2table.map=orders:o",
        "topic2table.map=orders:a b | topic2table.map | not a name that Hive accepts | topic2table.map=orders:a_b",
        "topic2table.map=orders:o,clicks:o;topic.clicks.partitioner.class=DailyPartitioner | partitioner.class | table.default.o.partitioner.class | topic.clicks.partitioner.class=;table.default.o.partitioner.class=DailyPartitioner",
        "topic2table.map=orders:default.clicks | hive.table.name | name both in topic2table.map | topic2table.map=orders:default.clicks,clicks:clicks",
        "topic2table.map=orders:o;topic.orders.record2table.map=a:b | topic2table.map | Remove one of the two | topic.orders.record2table.map=",
        "hive.table.name=${1} | hive.table.name | Use ${topic} for the topic | hive.table.name=${topic}",
        "topic.capture.groups.regex=(.*);hive.table.name=${2} | hive.table.name | ${1} for its first group | hive.table.name=${1}",
        "topic.capture.groups.regex=(.*) | topic.capture.groups.regex | Put ${1} into one of them | hive.table.name=${1}",
        "topic.capture.groups.regex=(orders).*;hive.table.name=${1} | topic.capture.groups.regex | name the topic in topic2table.map | topic2table.map=clicks:clicks",
        "topic.capture.groups.regex=(;hive.table.name=${1} | topic.capture.groups.regex | a regular expression | topic.capture.groups.regex=(.*)",
        "topic.capture.groups.regex=(.*);hive.database=${1} | completeness.hive.database | Set the database | completeness.hive.database=ledger",
        "topic.order.partitioner.class=DailyPartitioner | topic.order.partitioner.class | is not in topics, and topics.regex | topic.order.partitioner.class=",
        "topic.orders.partitioner.class=Dayly | topic.orders.partitioner.class | Set one of | topic.orders.partitioner.class=DailyPartitioner",
        "topic.orders.partitioner.class=TimeBasedPartitioner | topic.orders.partitioner.class | needs a path.format | topic.orders.path.format='dt'=yyyy-MM-dd;topic.orders.partition.duration.ms=86400000",
        "topic.orders.flushsize=1 | topic.orders.flushsize | continues with a name and one of | topic.orders.flushsize=",
        "topic.orders.timestamp.extractor=Wallclock;topic.orders.partitioner.class=DailyPartitioner | topic.orders.timestamp.extractor | Set RecordField here | topic.orders.timestamp.extractor=RecordField",
        "topic2table.map=orders:a,orders:b | topic2table.map | named twice | topic2table.map=orders:a",
        "topics=orders.new.eu,orders-new.us;topic.capture.groups.regex=(.*)[.]([a-z]+);hive.table.name=${1} | hive.table.name | name both in topic2table.map | topic2table.map=orders.new.eu:orders_new,orders-new.us:orders_new;topic.capture.groups.regex=;hive.table.name=",
        "topics=;topics.regex=orders.*;topic.clicks.partitioner.class=DailyPartitioner | topic.clicks.partitioner.class | and topics.regex does not match it | topic.clicks.partitioner.class=",
        "table.Orders.partitioner.class=DailyPartitioner | table.Orders.partitioner.class | Write database.table in lower case | table.Orders.partitioner.class=;table.default.orders.partitioner.class=DailyPartitioner",
        "table.default.nothing.partitioner.class=DailyPartitioner | table.default.nothing | is not a table of this connector | table.default.nothing.partitioner.class=",
        "field2table.field=type | field2table.map | Set both, or none | field2table.map=a:b",
        "field2table.map=a:b | field2table.field | Set both, or none | field2table.field=type",
        "field2table.field=type;field2table.map=a:b;record2table.map=c:d | field2table.map | Remove one of the two | record2table.map=",
        "record2table.map=c:d;behavior.on.unrouted.records=dead-letter | behavior.on.unrouted.records | errors.deadletterqueue.topic.name | errors.tolerance=all;errors.deadletterqueue.topic.name=dead",
      })
  void mistakeIsToldUnderItsKeyAndItsCureHelps(
      String settings, String key, String said, String cure) {
    Map<String, List<String>> errors = errors(with(settings));

    assertThat(errors).containsOnlyKeys(key);
    assertThat(String.valueOf(errors.get(key))).contains(said);

    Map<String, String> cured = new HashMap<>(with(settings));
    cured.putAll(parse(cure));
    cured.values().removeIf(String::isEmpty);
    assertThat(errors(cured)).isEmpty();
  }

  private static List<String> shown(List<Table> tables) {
    return tables.stream().map(each -> each.name() + " " + each.layout().root()).toList();
  }

  private static String name(Routing route) {
    assertThat(route.tables()).hasSize(1);
    return route.tables().get(0).name().toString();
  }

  private static UnroutedException unrouted(Routing routing, String name) {
    return catchThrowableOfType(UnroutedException.class, () -> routing.route(record(name)));
  }

  private static Schema record(String fullName) {
    return SchemaBuilder.record(fullName).fields().requiredInt("a").endRecord();
  }

  private static TableSettings settings(String settings) {
    return new TableSettings(new ConnectorConfig(with(settings)));
  }

  private static Map<String, String> with(String settings) {
    Map<String, String> properties = new HashMap<>(LEAST);
    properties.putAll(parse(settings));
    properties.values().removeIf(String::isEmpty);
    return properties;
  }

  private static Map<String, String> parse(String settings) {
    Map<String, String> parsed = new HashMap<>();
    for (String each : settings.split(";", -1)) {
      int equals = each.indexOf('=');
      parsed.put(each.substring(0, equals).trim(), each.substring(equals + 1).trim());
    }
    return parsed;
  }

  private static Map<String, List<String>> errors(Map<String, String> properties) {
    Config config = new Config(new ArrayList<>(ConnectorConfig.DEFINITION.validate(properties)));
    ConfigChecks.check(ConnectorConfig.unchecked(properties), config);
    Map<String, List<String>> errors = new HashMap<>();
    for (ConfigValue value : config.configValues()) {
      if (!value.errorMessages().isEmpty()) {
        errors.put(value.name(), value.errorMessages());
      }
    }
    return errors;
  }
}
