package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.landed.RowKey;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Records without a value as rows in Hive. */
@OnSharedStack
final class KeyedRowsIT {
  private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";
  private static final int RECORDS = 60;
  private static final Schema KEY =
      SchemaBuilder.record("Meter")
          .fields()
          .requiredString("unit")
          .requiredInt("number")
          .endRecord();

  /** A query for the newest row of each key returns the final state of the topic. */
  @Test
  void newestRowsOfKeysAreWhatTheTopicSays(RealStack stack) {
    SourceTopic topic = stack.topic("keyed-rows", 2);
    int keyId = stack.register(topic.name() + "-meters", KEY);
    int valueId = stack.register(topic.name(), Readings.V1);
    List<List<@Nullable Object>> rows = new ArrayList<>();
    Map<Integer, List<@Nullable Object>> newest = new LinkedHashMap<>();
    for (int number = 0; number < RECORDS; number++) {
      int meter = number % 7;
      boolean deletes = number % 5 == 4;
      GenericRecord key = new GenericData.Record(KEY);
      key.put("unit", "U" + meter);
      key.put("number", meter);
      RowKey row = new RowKey(meter % 2, number);
      long offset =
          topic.sendRaw(
              new ProducerRecord<>(
                  topic.name(),
                  meter % 2,
                  Readings.framed(keyId, key),
                  deletes ? null : Readings.framed(valueId, Readings.reading(Readings.V1, row))));
      List<@Nullable Object> expected = new ArrayList<>();
      expected.add(meter);
      expected.add("U" + meter);
      expected.add(deletes);
      expected.add(deletes ? null : (Object) row.seq());
      expected.add(offset);
      rows.add(expected);
      newest.put(meter, expected);
    }

    Deployment connector =
        stack.deploy(
            ConnectorSettings.of(topic.name(), topic)
                .with("behavior.on.null.values", "write")
                .with("columns.kafka", "offset")
                .with("key.converter", BYTES));
    connector.awaitLanded();

    LandedTable table = connector.table(topic);
    String columns = "kafka_key_number, kafka_key_unit, kafka_deleted, seq, kafka_offset";
    assertThat(table.query("SELECT %s FROM %s".formatted(columns, table.name())))
        .containsExactlyInAnyOrderElementsOf(rows);
    assertThat(
            table.query(
                """
                SELECT %s FROM (
                  SELECT *, row_number() OVER (PARTITION BY kafka_key_number ORDER BY kafka_offset DESC) AS age
                  FROM %s) every WHERE age = 1 AND NOT kafka_deleted
                """
                    .formatted(columns, table.name())))
        .containsExactlyInAnyOrderElementsOf(
            newest.values().stream().filter(row -> Boolean.FALSE.equals(row.get(2))).toList());
  }

  @Test
  void keysOfTextLandAndARecordWithNeitherIsADeadLetter(RealStack stack) {
    SourceTopic topic = stack.topic("text-keys", 1);
    int valueId = stack.register(topic.name(), Readings.V1);
    byte[] value = Readings.framed(valueId, Readings.reading(Readings.V1, new RowKey(0, 5)));
    assertThat(topic.sendRaw(record(topic, "a", value))).isZero();
    assertThat(topic.sendRaw(record(topic, "a", null))).isEqualTo(1);
    assertThat(topic.sendRaw(record(topic, null, null))).isEqualTo(2);
    assertThat(topic.sendRaw(record(topic, null, value))).isEqualTo(3);

    Deployment connector =
        stack.deploy(
            ConnectorSettings.of(topic.name(), topic)
                .with("behavior.on.null.values", "write")
                .with("columns.key.format", "string")
                .with("key.converter", BYTES)
                .with("errors.tolerance", "all")
                .with("errors.deadletterqueue.topic.name", topic.name() + "-dead")
                .with("errors.deadletterqueue.topic.replication.factor", "1")
                .with("errors.deadletterqueue.context.headers.enable", "true"));
    connector.awaitLanded();

    LandedTable table = connector.table(topic);
    List<@Nullable Object> nobody = new ArrayList<>();
    nobody.add(null);
    nobody.add(false);
    assertThat(table.query("SELECT kafka_key_value, kafka_deleted FROM %s".formatted(table.name())))
        .containsExactlyInAnyOrder(List.of("a", false), List.of("a", true), nobody);
    assertThat(stack.readAll(topic.name() + "-dead", 1))
        .singleElement()
        .satisfies(
            letter -> {
              Header reason = letter.headers().lastHeader("__connect.errors.exception.message");
              assertThat(new String(reason.value(), StandardCharsets.UTF_8))
                  .startsWith("text-keys-0@2: the record has neither key nor value");
            });
  }

  private static ProducerRecord<byte[], byte[]> record(
      SourceTopic topic, @Nullable String key, byte @Nullable [] value) {
    return new ProducerRecord<>(
        topic.name(), 0, key == null ? null : key.getBytes(StandardCharsets.UTF_8), value);
  }
}
