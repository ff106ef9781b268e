package io.tidemark.store.schema;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.store.schema.KafkaColumns.Column;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.AbstractMap.SimpleEntry;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.util.Utf8;
import org.junit.jupiter.api.Test;

class KafkaColumnsTest {
  private static final Schema QUOTE =
      SchemaBuilder.record("Quote")
          .namespace("n")
          .doc("a quote")
          .fields()
          .requiredString("key")
          .endRecord();
  private static final Set<Column> ALL = EnumSet.allOf(Column.class);

  @Test
  void datumsBehindTheirColumnsAreReadByTheSchemaThatHasBoth() throws Exception {
    KafkaColumns columns = new KafkaColumns(ALL, "kafka_");
    byte[] inFront =
        columns.bytes(
            "quotes",
            300,
            1L << 40,
            1_795_184_998_445L,
            new byte[] {1, -1},
            List.of(
                new SimpleEntry<>("trace", "é".getBytes(UTF_8)), new SimpleEntry<>("none", null)));

    GenericRecord row = read(columns.inFrontOf(QUOTE), inFront, "x");

    assertThat(row.get("kafka_topic")).hasToString("quotes");
    assertThat(row.get("kafka_partition")).isEqualTo(300);
    assertThat(row.get("kafka_offset")).isEqualTo(1L << 40);
    assertThat(row.get("kafka_timestamp")).isEqualTo(1_795_184_998_445L);
    assertThat(row.get("kafka_key")).isEqualTo(ByteBuffer.wrap(new byte[] {1, -1}));
    Map<?, ?> headers = (Map<?, ?>) row.get("kafka_headers");
    assertThat(headers.get(new Utf8("trace"))).isEqualTo(ByteBuffer.wrap("é".getBytes(UTF_8)));
    assertThat(headers.containsKey(new Utf8("none"))).isTrue();
    assertThat(headers.get(new Utf8("none"))).isNull();
    assertThat(row.get("key")).hasToString("x");
  }

  @Test
  void whatARecordLacksIsNull() throws Exception {
    KafkaColumns columns = new KafkaColumns(ALL, "k");
    GenericRecord row =
        read(columns.inFrontOf(QUOTE), columns.bytes("quotes", 0, 0, -1, null, List.of()), "x");

    assertThat(row.get("ktimestamp")).isNull();
    assertThat(row.get("kkey")).isNull();
    assertThat((Map<?, ?>) row.get("kheaders")).isEmpty();
  }

  @Test
  void schemaKeepsItsNameAndHasTheColumnsThatAreWanted() throws Exception {
    Schema extended =
        new KafkaColumns(EnumSet.of(Column.OFFSET, Column.TOPIC), "kafka_").inFrontOf(QUOTE);

    assertThat(extended.getFullName()).isEqualTo("n.Quote");
    assertThat(extended.getDoc()).isEqualTo("a quote");
    assertThat(extended.getFields())
        .extracting(Schema.Field::name)
        .containsExactly("kafka_topic", "kafka_offset", "key");
    assertThat(new Schema.Parser().parse(extended.toString())).isEqualTo(extended);
  }

  @Test
  void fieldOfAColumnsNameIsToldWithTheCure() {
    Schema own = SchemaBuilder.record("R").fields().requiredLong("Kafka_Offset").endRecord();

    assertThatThrownBy(() -> new KafkaColumns(ALL, "kafka_").inFrontOf(own))
        .isInstanceOf(SchemaConflictException.class)
        .hasMessageContaining("field Kafka_Offset")
        .hasMessageContaining("Set columns.kafka.prefix to another one");
  }

  @Test
  void listOfNamesIsRead() {
    assertThat(KafkaColumns.parse(" key , offset")).containsExactly(Column.OFFSET, Column.KEY);
    assertThat(KafkaColumns.parse("")).isEmpty();
    assertThatThrownBy(() -> KafkaColumns.parse("offset,value")).hasMessageContaining("value");
    assertThatThrownBy(() -> KafkaColumns.parse("key,key")).hasMessageContaining("twice");
  }

  private static GenericRecord read(Schema schema, byte[] inFront, String key) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(inFront);
    GenericRecord quote = new GenericData.Record(QUOTE);
    quote.put("key", key);
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
    new GenericDatumWriter<GenericRecord>(QUOTE).write(quote, encoder);
    encoder.flush();
    return new GenericDatumReader<GenericRecord>(schema)
        .read(null, DecoderFactory.get().binaryDecoder(bytes.toByteArray(), null));
  }
}
