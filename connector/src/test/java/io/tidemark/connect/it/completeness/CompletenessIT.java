package io.tidemark.connect.it.completeness;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.landed.RowKey;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.registry.kafka.AvroDeserializer;
import io.tidemark.stack.Polling;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;

/** Completeness in the places where people and schedulers read it. */
@OnRealStack
final class CompletenessIT {
  private static final long READINGS = 5_000;

  private static ConnectorSettings settings(String name, SourceTopic topic) {
    return ConnectorSettings.of(name, topic).statedByTheHour();
  }

  /**
   * The request of kafka-connect-hdfs#282: "make sure that all messages up to some time have
   * arrived". SQL and schedulers can see it.
   */
  @Test
  void allMessagesUpToSomeTimeHaveArrived(RealStack stack) {
    SourceTopic topic = stack.topic("hours", 2);
    topic.send(Readings.V1, 0, READINGS);
    // The last offset of each topic-partition is a marker, which consumers do not receive.
    topic.sendInTransaction(Readings.V1, READINGS, READINGS + 10, true);
    Deployment connector = stack.deploy(settings("hours", topic).with("tasks.max", 2));
    connector.awaitLanded();
    LandedTable table = connector.table(topic);

    Instant asked = Instant.now();
    awaitThrough(table, "hours", asked);
    for (String hour : List.of("dt=2026-11-20/hour=23", "dt=2026-11-21/hour=00")) {
      JsonNode manifest = connector.stated().awaitManifest(topic, hour);
      List<List<Object>> counted =
          rows(
              table,
              "SELECT count(*) FROM %s WHERE concat('dt=', dt, '/hour=', hour) = '%s'"
                  .formatted(table.name(), hour));
      assertThat(manifest.findValue("records").asLong()).isEqualTo(counted.get(0).get(0));
      assertThat(manifest.findValue("late").asLong()).isZero();
    }
    assertThat(rows(table, "SHOW PARTITIONS %s.tidemark_complete".formatted(LandedTable.DATABASE)))
        .extracting(row -> String.valueOf(row.get(0)))
        .contains(
            "table_name=%s/hive_partition=dt%%3D2026-11-20%%2Fhour%%3D23".formatted(plain(table)));
  }

  /**
   * The request of kafka-connect-storage-cloud#237: "when do I know that I can process a partition,
   * and hear of later files".
   */
  @Test
  void partitionCanBeProcessedAndLaterFilesAreHeardOf(RealStack stack) {
    SourceTopic topic = stack.topic("late", 1);
    topic.send(Readings.V1, 0, 100);
    Deployment connector = stack.deploy(settings("late", topic));
    connector.awaitLanded();
    LandedTable table = connector.table(topic);
    connector.stated().awaitManifest(topic, "dt=2026-11-20/hour=23");

    topic.send(Readings.V1, 100, 107);
    connector.awaitLanded();
    Polling.until(
        "the late records are listed and counted",
        RealStack.DEADLINE,
        () -> {
          List<List<Object>> totals =
              last(
                  rows(
                      table,
                      ("SELECT records, late, revision FROM %s.tidemark_partitions WHERE"
                              + " log_id = 'late' AND asked_at IS NOT NULL AND"
                              + " hive_partition = 'dt=2026-11-20/hour=23'")
                          .formatted(LandedTable.DATABASE)));
          return !totals.isEmpty() && totals.get(0).subList(0, 2).equals(List.of(107L, 7L))
              ? Optional.empty()
              : Optional.of("the newest revision has " + totals);
        });
  }

  @Test
  void eachBatchAndEachCompletionIsToldAsAnEvent(RealStack stack) {
    SourceTopic topic = stack.topic("told", 1);
    SourceTopic events = stack.topic("told-events", 1);
    topic.send(Readings.V1, 0, 100);
    Deployment connector =
        stack.deploy(settings("told", topic).with("completeness.events.topic", events.name()));
    connector.awaitLanded();
    LandedTable table = connector.table(topic);
    String place = plain(table) + "/dt=2026-11-20/hour=23";
    awaitEvent(
        stack,
        events,
        event -> is(event, "batch", "batch") && event.get("next_offset").equals(100L));
    GenericRecord completion =
        awaitEvent(
            stack,
            events,
            event ->
                is(event, "completion", "hive-partition")
                    && String.valueOf(event.get("id")).endsWith(place));
    assertThat(completion.get("records")).isEqualTo(100L);
    assertThat(completion.get("log_id")).hasToString("told");
    awaitEvent(stack, events, event -> is(event, "completion", "table"));

    topic.send(Readings.V1, 100, 107);
    connector.awaitLanded();
    GenericRecord revision =
        awaitEvent(stack, events, event -> is(event, "revision", "hive-partition"));
    assertThat(revision.get("records")).isEqualTo(107L);
    assertThat(revision.get("late")).isEqualTo(7L);
  }

  private static boolean is(GenericRecord event, String kind, String subject) {
    return kind.equals(String.valueOf(event.get("kind")))
        && subject.equals(String.valueOf(event.get("subject")));
  }

  /** The first matching event of the topic, read as any program would. */
  private static GenericRecord awaitEvent(
      RealStack stack, SourceTopic topic, Predicate<GenericRecord> meant) {
    Properties properties = new Properties();
    properties.putAll(
        Map.of(
            "bootstrap.servers",
            stack.services().kafka().bootstrapServers(),
            "schema.registry.url",
            stack.services().registry().url(),
            "key.deserializer",
            StringDeserializer.class.getName(),
            "value.deserializer",
            AvroDeserializer.class.getName()));
    List<GenericRecord> read = new ArrayList<>();
    try (KafkaConsumer<String, GenericRecord> consumer = new KafkaConsumer<>(properties)) {
      TopicPartition first = new TopicPartition(topic.name(), 0);
      consumer.assign(List.of(first));
      consumer.seekToBeginning(List.of(first));
      Polling.until(
          "an event comes",
          RealStack.DEADLINE,
          () -> {
            for (ConsumerRecord<String, GenericRecord> each :
                consumer.poll(Duration.ofMillis(500))) {
              assertThat(each.key()).isEqualTo(String.valueOf(each.value().get("table_name")));
              read.add(each.value());
            }
            return read.stream().anyMatch(meant)
                ? Optional.empty()
                : Optional.of("the topic has " + read);
          });
    }
    return read.stream().filter(meant).findFirst().orElseThrow();
  }

  @Test
  void openTransactionHoldsItsTable(RealStack stack) {
    SourceTopic topic = stack.topic("open", 1);
    topic.send(Readings.V1, 0, 100);
    Deployment connector = stack.deploy(settings("open", topic));
    connector.awaitLanded();
    LandedTable table = connector.table(topic);
    connector.stated().awaitManifest(topic, "dt=2026-11-20/hour=23");
    try (KafkaProducer<byte[], byte[]> producer = transactional(stack)) {
      producer.initTransactions();
      producer.beginTransaction();
      Future<RecordMetadata> sent =
          producer.send(
              new ProducerRecord<>(
                  topic.name(),
                  0,
                  null,
                  Readings.framed(
                      stack.register(topic.name(), Readings.V1),
                      Readings.reading(Readings.V1, new RowKey(0, 100)))));
      producer.flush();
      assertThat(sent).succeedsWithin(RealStack.DEADLINE);
      Instant open = Instant.now();
      Polling.until(
          "the table says that a transaction is open",
          RealStack.DEADLINE,
          () -> {
            List<List<Object>> held = watermark(table, "open", "complete_through, held_because");
            return String.valueOf(held).contains("OPEN_TRANSACTION")
                ? Optional.empty()
                : Optional.of("tidemark_watermarks has " + held);
          });
      assertThat(
              Instant.parse(
                  String.valueOf(watermark(table, "open", "complete_through").get(0).get(0))))
          .isBefore(open);
      producer.commitTransaction();
      awaitThrough(table, "open", open);
    }
  }

  @Test
  void announcedBatchIsCompleteExactlyWhenAsManyRecordsHaveCome(RealStack stack) {
    SourceTopic topic = stack.topic("exports", 1);
    SourceTopic batches = stack.topic("exports-batches", 1);
    sendOfBatch(stack, topic, "equal", 0, 100);
    Deployment connector =
        stack.deploy(settings("exports", topic).with("completeness.batches.topic", batches.name()));
    LandedTable table = connector.table(topic);
    announce(batches, "equal", topic, 100);
    awaitBatch(table, "equal", "complete");

    sendOfBatch(stack, topic, "short", 100, 160);
    announce(batches, "short", topic, 100);
    awaitBatch(table, "short", "SHORT %s: 60 counted of 100 announced".formatted(topic.name()));
    sendOfBatch(stack, topic, "short", 160, 200);
    awaitBatch(table, "short", "complete");

    sendOfBatch(stack, topic, "over", 200, 301);
    announce(batches, "over", topic, 100);
    awaitBatch(table, "over", "OVER %s: 101 counted of 100 announced".formatted(topic.name()));

    assertThat(connector.loggedOf(List.of(" WARN ", batches.name())))
        .as("the topic was looked at every 5 s, mostly without anything new")
        .isEmpty();
  }

  private static void sendOfBatch(
      RealStack stack, SourceTopic topic, String batch, long from, long to) {
    int schema = stack.register(topic.name(), Readings.V1);
    for (long seq = from; seq < to; seq++) {
      topic.sendRaw(
          new ProducerRecord<>(
              topic.name(),
              0,
              Readings.taken(seq).toEpochMilli(),
              null,
              Readings.framed(schema, Readings.reading(Readings.V1, new RowKey(0, seq))),
              List.of(new RecordHeader("tidemark.batch", batch.getBytes(StandardCharsets.UTF_8)))));
    }
  }

  private static void announce(SourceTopic batches, String batch, SourceTopic topic, long records) {
    batches.sendRaw(
        new ProducerRecord<>(
            batches.name(),
            0,
            batch.getBytes(StandardCharsets.UTF_8),
            "{\"version\":1,\"batch\":\"%s\",\"records\":{\"%s\":%d}}"
                .formatted(batch, topic.name(), records)
                .getBytes(StandardCharsets.UTF_8)));
  }

  private static void awaitBatch(LandedTable table, String batch, String state) {
    Polling.until(
        "the batch %s is %s".formatted(batch, state),
        RealStack.DEADLINE,
        () -> {
          List<List<Object>> newest =
              newest(table, "exports", "batch", batch, "complete_through, held_because");
          boolean reached =
              !newest.isEmpty()
                  && (state.equals("complete")
                      ? newest.get(0).get(0) != null
                      : String.valueOf(newest.get(0).get(1)).startsWith(state));
          return reached ? Optional.empty() : Optional.of("tidemark_watermarks has " + newest);
        });
  }

  private static KafkaProducer<byte[], byte[]> transactional(RealStack stack) {
    Properties properties = new Properties();
    properties.putAll(
        Map.of(
            "bootstrap.servers",
            stack.services().kafka().bootstrapServers(),
            "transactional.id",
            "open-transaction"));
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static void awaitThrough(LandedTable table, String log, Instant instant) {
    Polling.until(
        "%s is complete through %s".formatted(table.name(), instant),
        RealStack.DEADLINE,
        () -> {
          List<List<Object>> newest = watermark(table, log, "complete_through, held_because");
          boolean complete =
              !newest.isEmpty()
                  && newest.get(0).get(0) instanceof String through
                  && !Instant.parse(through).isBefore(instant);
          return complete ? Optional.empty() : Optional.of("tidemark_watermarks has " + newest);
        });
  }

  private static List<List<Object>> watermark(LandedTable table, String log, String columns) {
    return newest(table, log, "table", plain(table), columns);
  }

  /** The newest row. Hive sorts in a separate job, which takes seconds. */
  private static List<List<Object>> newest(
      LandedTable table, String log, String kind, String name, String columns) {
    if (table
        .query("SHOW TABLES IN %s 'tidemark_watermarks'".formatted(LandedTable.DATABASE))
        .isEmpty()) {
      return List.of();
    }
    return last(
        rows(
            table,
            "SELECT %s, ledger_entry FROM %s.tidemark_watermarks WHERE log_id = '%s' AND kind = '%s' AND name = '%s'"
                .formatted(columns, LandedTable.DATABASE, log, kind, name)));
  }

  /** The row with the highest number in its last column. */
  private static List<List<Object>> last(List<List<Object>> rows) {
    return rows.stream()
        .max(Comparator.comparingLong(row -> (Long) row.get(row.size() - 1)))
        .stream()
        .toList();
  }

  /** The table's name in the ledger. Example: {@code landed.hours}. */
  private static String plain(LandedTable table) {
    return table.name().replace("`", "");
  }

  @SuppressWarnings("unchecked")
  private static List<List<Object>> rows(LandedTable table, String sql) {
    return (List<List<Object>>) (List<?>) table.query(sql);
  }
}
