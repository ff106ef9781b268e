package io.tidemark.connect.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.Polling;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Routing of topics, record names and values to tables. Hive must show there what was produced. */
@OnSharedStack
final class RoutingIT {
  private static final Schema ORDER =
      SchemaBuilder.record("shop.Order")
          .fields()
          .requiredLong("seq")
          .requiredString("region")
          .endRecord();
  private static final Schema PAYMENT =
      SchemaBuilder.record("shop.Payment")
          .fields()
          .requiredLong("seq")
          .requiredDouble("amount")
          .endRecord();
  private static final Schema REFUND =
      SchemaBuilder.record("shop.Refund").fields().requiredLong("seq").endRecord();

  private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";
  private static final Instant SENT = Instant.parse("2025-12-30T20:05:00Z");

  private final Map<String, List<GenericRecord>> produced = new HashMap<>();

  @Test
  void severalTopicsLandInOneTableOfAnotherDatabase(RealStack stack) {
    SourceTopic eu = stack.topic("shop-orders-eu", 2);
    SourceTopic us = stack.topic("shop-orders-us", 1);
    SourceTopic clicks = stack.topic("shop-clicks", 1);
    for (int i = 0; i < 60; i++) {
      order(stack, i % 3 == 0 ? us : eu, i % 3 == 1 ? 1 : 0, i, "r" + i % 4, "orders");
      order(stack, clicks, 0, i, "r", "clicks");
    }
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("routes-topics", eu, us, clicks)
                .with("topic.capture.groups.regex", "shop-([a-z]+)(-.*)?")
                .with("hive.table.name", "all_${1}")
                .with("topic2table.map", "shop-clicks:routed.clicks")
                .with("table.landed.all_orders.partitioner.class", "FieldAndTimeBasedPartitioner")
                .with("table.landed.all_orders.partition.field.name", "region")
                .statedByTheHour());
    landed(connector);

    holds(stack, clicks, "landed.all_orders", "orders");
    holds(stack, clicks, "routed.clicks", "clicks");
    awaitComplete(stack, clicks, "landed.all_orders", "routed.clicks");
    connector.requireNoFailure();
  }

  @Test
  void recordsOfOneTopicLandByTheirNames(RealStack stack) {
    SourceTopic events = stack.topic("shop-events", 2);
    for (int i = 0; i < 90; i++) {
      if (i % 3 == 0) {
        order(stack, events, i % 2, i, "eu", "orders");
      } else if (i % 3 == 1) {
        GenericRecord payment = new GenericData.Record(PAYMENT);
        payment.put("seq", (long) i);
        payment.put("amount", i / 4.0);
        send(stack, events, i % 2, payment, "payments");
      } else {
        GenericRecord refund = new GenericData.Record(REFUND);
        refund.put("seq", (long) i);
        send(stack, events, i % 2, refund, "others");
      }
    }
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("routes-records", events)
                .with(
                    "record2table.map",
                    "shop.Order:event_orders,shop.Payment:event_payments,*:${topic}_others")
                .statedByTheHour());
    landed(connector);

    holds(stack, events, "landed.event_orders", "orders");
    holds(stack, events, "landed.event_payments", "payments");
    holds(stack, events, "landed.shop_events_others", "others");
    // Each table is said to be complete by itself.
    awaitComplete(
        stack, events, "landed.event_orders", "landed.event_payments", "landed.shop_events_others");
    connector.requireNoFailure();
  }

  @Test
  void recordsOfOneTopicLandByAField(RealStack stack) {
    SourceTopic orders = stack.topic("shop-regions", 2);
    for (int i = 0; i < 80; i++) {
      String region = List.of("eu", "us", "a:b,c", "").get(i % 4);
      order(stack, orders, i % 2, i, region, i % 4 == 3 ? "rest" : region);
    }
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("routes-fields", orders)
                .with("field2table.field", "region")
                .with("field2table.map", "eu:r_eu,us:r_us,a\\:b\\,c:r_odd,*:r_rest"));
    landed(connector);

    holds(stack, orders, "landed.r_eu", "eu");
    holds(stack, orders, "landed.r_us", "us");
    holds(stack, orders, "landed.r_odd", "a:b,c");
    holds(stack, orders, "landed.r_rest", "rest");
    connector.requireNoFailure();
  }

  @Test
  void singleTopicsAndTablesHaveTheirOwnSettings(RealStack stack) {
    SourceTopic counted = stack.topic("shop-counted", 1);
    SourceTopic other = stack.topic("shop-other", 1);
    for (int i = 0; i < 40; i++) {
      order(stack, counted, 0, i, "r" + i % 4, "counted");
      order(stack, other, 0, i, "r" + i % 4, "other");
    }
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("routes-settings", counted, other)
                .with("topics.dir", "topics/by-name")
                .with("hive.table.location", "/topics/chosen/${database}.db/${table}")
                .with("table.landed.shop_other.hive.table.location", "/topics/apart/other")
                .with("table.landed.shop_other.hive.table.properties", "owner=sales")
                .with("topic.shop-other.avro.codec", "deflate")
                .with("topic.shop-other.avro.codec.level", "9")
                .with("topic.shop-other.completeness.enabled", "false")
                .statedByTheHour());
    landed(connector);

    holds(stack, counted, "landed.shop_counted", "counted");
    holds(stack, counted, "landed.shop_other", "other");
    assertThat(files(stack, counted, "landed.shop_counted"))
        .isNotEmpty()
        .allMatch(file -> file.contains("/topics/chosen/landed.db/shop_counted/"));
    assertThat(files(stack, counted, "landed.shop_other"))
        .isNotEmpty()
        .allMatch(file -> file.contains("/topics/apart/other/"));
    assertThat(query(stack, counted, "SHOW TBLPROPERTIES landed.shop_other(\"owner\")").toString())
        .contains("sales");
    assertThat(codecs(stack, counted, "landed.shop_counted")).containsOnly("snappy");
    assertThat(codecs(stack, counted, "landed.shop_other")).containsOnly("deflate");
    awaitComplete(stack, counted, "landed.shop_counted");
    assertThat(completeHours(stack, counted)).doesNotContain("landed.shop_other");
    connector.requireNoFailure();
  }

  /** Records of the names that have a table land. */
  @Test
  void recordsWhoseNameHasNoTableAreDeadLetters(RealStack stack) {
    SourceTopic mixed = stack.topic("shop-mixed", 1);
    String queue = "shop-mixed-dead";
    for (int i = 0; i < 30; i++) {
      if (i % 3 == 0) {
        GenericRecord refund = new GenericData.Record(REFUND);
        refund.put("seq", (long) i);
        send(stack, mixed, 0, refund, "dead");
      } else {
        order(stack, mixed, 0, i, "r" + i % 4, "orders");
      }
    }
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("routes-dead", mixed)
                .with("record2table.map", "shop.Order:mixed_orders,shop.Payment:mixed_payments")
                .with("behavior.on.unrouted.records", "dead-letter")
                .with("key.converter", BYTES)
                .with("errors.tolerance", "all")
                .with("errors.deadletterqueue.topic.name", queue)
                .with("errors.deadletterqueue.topic.replication.factor", 1)
                .with("errors.deadletterqueue.context.headers.enable", "true"));
    landed(connector);

    holds(stack, mixed, "landed.mixed_orders", "orders");
    int id = stack.register(mixed.name() + "-Refund", REFUND);
    List<GenericRecord> refunds = rows("dead");
    List<ConsumerRecord<byte[], byte[]>> letters = stack.readAll(queue, refunds.size());
    // A task that Connect restarts sends dead letters again.
    assertThat(letters)
        .extracting(letter -> ByteBuffer.wrap(letter.value()))
        .hasSameElementsAs(
            refunds.stream().map(row -> ByteBuffer.wrap(Readings.framed(id, row))).toList());
    assertThat(letters)
        .extracting(RoutingIT::reason)
        .allMatch(reason -> reason.startsWith("shop-mixed-0@"))
        .allMatch(reason -> reason.contains("names no table for records of the name shop.Refund"));
    connector.requireNoFailure();
  }

  private static String reason(ConsumerRecord<byte[], byte[]> letter) {
    return new String(
        letter.headers().lastHeader("__connect.errors.exception.message").value(), UTF_8);
  }

  private static List<String> codecs(RealStack stack, SourceTopic any, String table) {
    LandedTable reader = new LandedTable(stack.services(), any.name());
    return files(stack, any, table).stream()
        .map(file -> reader.read(URI.create(file).getPath()).codec())
        .toList();
  }

  private static List<String> files(RealStack stack, SourceTopic any, String table) {
    return query(stack, any, "SELECT INPUT__FILE__NAME FROM " + table).stream()
        .map(row -> String.valueOf(row.get(0)))
        .distinct()
        .toList();
  }

  private void order(
      RealStack stack, SourceTopic topic, int topicPartition, long seq, String region, String to) {
    GenericRecord order = new GenericData.Record(ORDER);
    order.put("seq", seq);
    order.put("region", region);
    send(stack, topic, topicPartition, order, to);
  }

  private void send(
      RealStack stack, SourceTopic topic, int topicPartition, GenericRecord row, String to) {
    int id = stack.register(topic.name() + "-" + row.getSchema().getName(), row.getSchema());
    topic.sendRaw(
        new ProducerRecord<>(
            topic.name(), topicPartition, SENT.toEpochMilli(), null, Readings.framed(id, row)));
    produced.computeIfAbsent(to, each -> new ArrayList<>()).add(row);
  }

  private List<GenericRecord> rows(String to) {
    return produced.getOrDefault(to, List.of());
  }

  private static void awaitComplete(RealStack stack, SourceTopic any, String... tables) {
    Polling.until(
        "the hour is complete in " + List.of(tables),
        RealStack.DEADLINE,
        () -> {
          String complete = completeHours(stack, any);
          boolean all =
              Stream.of(tables).allMatch(table -> complete.contains("table_name=" + table + "/"));
          return all ? Optional.empty() : Optional.of("complete are " + complete);
        });
  }

  private static String completeHours(RealStack stack, SourceTopic any) {
    try {
      return query(stack, any, "SHOW PARTITIONS landed.tidemark_complete").toString();
    } catch (IllegalStateException e) {
      return String.valueOf(e.getCause()); // The ledger has not created its tables yet.
    }
  }

  private static void landed(Deployment connector) {
    Polling.until(
        connector.name() + " has landed everything",
        RealStack.DEADLINE,
        () -> {
          connector.requireNoFailure();
          return connector.settings().topics().stream()
              .flatMap(topic -> connector.shortfall(topic).stream())
              .findFirst();
        });
  }

  /**
   * What is landed is shown by Hive as soon as it is registered; all columns of the records are
   * compared.
   */
  private void holds(RealStack stack, SourceTopic any, String table, String to) {
    List<GenericRecord> rows = rows(to);
    List<List<@Nullable Object>> expected = rows.stream().map(RoutingIT::values).toList();
    String columns =
        rows.get(0).getSchema().getFields().stream()
            .map(Schema.Field::name)
            .collect(Collectors.joining(", "));
    String sql = "SELECT %s FROM %s".formatted(columns, table);
    Polling.until(
        "Hive shows as many rows of " + table,
        RealStack.DEADLINE,
        () -> {
          try {
            int found = query(stack, any, sql).size();
            return found == expected.size() ? Optional.empty() : Optional.of("it has " + found);
          } catch (IllegalStateException e) {
            return Optional.of(String.valueOf(e.getCause()));
          }
        });
    assertThat(query(stack, any, sql)).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static List<@Nullable Object> values(GenericRecord row) {
    List<@Nullable Object> values = new ArrayList<>();
    row.getSchema().getFields().forEach(field -> values.add(row.get(field.pos())));
    return values;
  }

  private static List<List<@Nullable Object>> query(RealStack stack, SourceTopic any, String sql) {
    return new LandedTable(stack.services(), any.name()).query(sql);
  }
}
