package io.tidemark.connect.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.landed.RowKey;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Columns of Kafka's metadata in Hive, next to the rows that were produced. */
@OnSharedStack
final class KafkaColumnsIT {

  private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);
  private static final int RECORDS = 30;

  /** The table exists before, so its older rows have null in the columns. */
  @Test
  void rowsSayWhereTheyCameFrom(RealStack stack) {
    SourceTopic topic = stack.topic("kafka-columns", 2);
    topic.send(Readings.V1, 0, 10);
    ConnectorSettings settings = ConnectorSettings.of(topic.name(), topic);
    Deployment connector = stack.deploy(settings);
    connector.awaitLanded();
    LandedTable table = connector.table(topic);
    assertThat(table.query("SELECT count(*) FROM " + table.name())).containsExactly(List.of(20L));

    connector.configureStopped(
        settings
            .with("columns.kafka", "topic,partition,offset,timestamp,key,headers")
            .with("key.converter", BYTES)
            .with("header.converter", BYTES));
    int id = stack.register(topic.name(), Readings.V2);
    List<List<@Nullable Object>> expected = new ArrayList<>();
    for (int number = 0; number < RECORDS; number++) {
      int topicPartition = number % 2;
      RowKey key = new RowKey(topicPartition, 100 + number);
      Instant sent = Instant.parse("2025-03-01T10:00:00Z").plusSeconds(61L * number);
      boolean bare = number % 3 == 0;
      List<Header> headers =
          bare
              ? List.of()
              : List.of(
                  new RecordHeader("trace", ("trace " + number).getBytes(UTF_8)),
                  new RecordHeader("empty", null));
      long offset =
          topic.sendRaw(
              new ProducerRecord<>(
                  topic.name(),
                  topicPartition,
                  sent.toEpochMilli(),
                  bare ? null : ("key " + number).getBytes(UTF_8),
                  Readings.framed(id, Readings.reading(Readings.V2, key)),
                  headers));
      List<@Nullable Object> row = new ArrayList<>();
      row.add(key.seq());
      row.add("C" + key.seq() % 10);
      row.add(topic.name());
      row.add(topicPartition);
      row.add(offset);
      row.add(TIMESTAMP.format(sent));
      row.add(bare ? null : "key " + number);
      row.add(bare ? null : "trace " + number);
      row.add(bare ? 0 : 2);
      expected.add(row);
    }
    connector.awaitLanded();

    assertThat(
            table.query(
                """
                SELECT seq, unit, kafka_topic, kafka_partition, kafka_offset,
                       CAST(kafka_timestamp AS STRING), CAST(kafka_key AS STRING),
                       CAST(kafka_headers['trace'] AS STRING), size(kafka_headers)
                FROM %s WHERE seq >= 100
                """
                    .formatted(table.name())))
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(
            table.query(
                "SELECT count(*), count(kafka_offset), count(kafka_topic) FROM %s WHERE seq < 100"
                    .formatted(table.name())))
        .containsExactly(List.of(20L, 0L, 0L));
  }
}
