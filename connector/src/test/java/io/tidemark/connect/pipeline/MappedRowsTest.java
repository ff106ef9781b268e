package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.mapping.SchemaMapping;
import io.tidemark.connect.staging.Routing;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.StoredFile;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.schema.SchemaRules;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableOptions;
import io.tidemark.store.table.TableSchemas;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows of several writer schemas whose types and fields are mapped by rules. */
final class MappedRowsTest {
  private final Quotes quotes = new Quotes();
  private final FakeDeadLetterQueue queue = new FakeDeadLetterQueue();

  private static Schema parse(String schema) {
    return new Schema.Parser().parse(schema.replace('\'', '"'));
  }

  @Test
  void rowsOfSeveralWritersHaveOneType() throws Exception {
    Schema micros =
        parse(
            """
            {'type': 'record', 'name': 'T', 'fields': [
              {'name': 'at', 'type': {'type': 'long', 'logicalType': 'timestamp-micros'}},
              {'name': 'side', 'type': {'type': 'enum', 'name': 'S', 'symbols': ['A', 'B']}},
              {'name': 'note', 'type': 'string'}]}""");
    Schema millis =
        parse(
            """
            {'type': 'record', 'name': 'T', 'fields': [
              {'name': 'side', 'type': {'type': 'enum', 'name': 'S', 'symbols': ['B', 'C']}},
              {'name': 'at', 'type': {'type': 'long', 'logicalType': 'timestamp-millis'}}]}""");
    Schema text =
        parse(
            """
            {'type': 'record', 'name': 'T', 'fields': [
              {'name': 'side', 'type': 'string'},
              {'name': 'at', 'type': ['null', {'type': 'long', 'logicalType': 'timestamp-micros'}]},
              {'name': 'more', 'type': 'int', 'default': 1}]}""");
    produce(
        1, micros, 5_000L, new GenericData.EnumSymbol(micros.getField("side").schema(), "B"), "n");
    produce(2, millis, new GenericData.EnumSymbol(millis.getField("side").schema(), "C"), 6L);
    produce(3, text, "D", null, 7);
    produce(
        1, micros, 5_001L, new GenericData.EnumSymbol(micros.getField("side").schema(), "A"), "n");
    produce(
        1, micros, 8_000L, new GenericData.EnumSymbol(micros.getField("side").schema(), "A"), "n");

    land(
        SchemaMapping.builder().set("hive").type("enum", "string").exclude("note").build(),
        List.of(micros, millis, text));

    assertThat(rows())
        .containsExactly(
            "{\"at\": 5, \"side\": \"B\", \"more\": 1}",
            "{\"at\": 6, \"side\": \"C\", \"more\": 1}",
            "{\"at\": null, \"side\": \"D\", \"more\": 7}",
            "{\"at\": 8, \"side\": \"A\", \"more\": 1}");
    assertThat(queue.offsets()).containsExactly(3L);
    assertThat(queue.taken.get(0).reason())
        .contains(
            "field \"at\": the number 5001 cannot be converted from timestamp-micros to timestamp-millis exactly");
  }

  @Test
  void changesOfDebeziumAreRows() throws Exception {
    Schema change =
        parse(
            """
            {'type': 'record', 'name': 'Envelope', 'namespace': 'shop.people', 'fields': [
              {'name': 'before', 'type': ['null', {'type': 'record', 'name': 'Value', 'fields': [
                {'name': 'id', 'type': 'int'}, {'name': 'ssn', 'type': 'string'}]}]},
              {'name': 'after', 'type': ['null', 'Value']},
              {'name': 'source', 'type': {'type': 'record', 'name': 'Source', 'fields': [
                {'name': 'lsn', 'type': 'long'}]}},
              {'name': 'op', 'type': 'string'}]}""");
    var source = new GenericData.Record(change.getField("source").schema());
    source.put("lsn", 9L);
    GenericRecord first = image(change, 1);
    GenericRecord second = image(change, 2);
    produce(1, change, null, first, source, "c");
    produce(1, change, first, second, source, "u");
    produce(1, change, second, null, source, "d");
    quotes.topic.tombstone(0);
    produce(1, change, null, null, source, "t");

    land(SchemaMapping.builder().unwrap().exclude("ssn").build(), List.of(change));

    assertThat(rows())
        .containsExactly(
            "{\"id\": 1, \"cdc_source_lsn\": 9, \"cdc_op\": \"c\"}",
            "{\"id\": 2, \"cdc_source_lsn\": 9, \"cdc_op\": \"u\"}",
            "{\"id\": 2, \"cdc_source_lsn\": 9, \"cdc_op\": \"d\"}");
    assertThat(queue.offsets()).containsExactly(4L);
    assertThat(queue.taken.get(0).reason()).contains("before and after are null");
  }

  private static GenericRecord image(Schema change, int id) {
    var image = new GenericData.Record(change.getField("after").schema().getTypes().get(1));
    image.put("id", id);
    image.put("ssn", "secret");
    return image;
  }

  private void produce(int id, Schema schema, @Nullable Object... values) throws IOException {
    var row = new GenericData.Record(schema);
    for (int i = 0; i < values.length; i++) {
      row.put(i, values[i]);
    }
    var framed = new ByteArrayOutputStream();
    framed.writeBytes(ByteBuffer.allocate(5).put((byte) 0).putInt(id).array());
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(framed, null);
    new GenericDatumWriter<GenericRecord>(schema).write(row, encoder);
    quotes.topic.produce(0, framed.toByteArray());
  }

  private void land(SchemaMapping mapping, List<Schema> schemas) {
    Table table =
        new Table(
            new TableName("default", "quotes"),
            new TableLayout(Quotes.ROOT),
            PartitionSpec.NONE,
            new TableOptions(
                Optional.empty(), true, true, false, true, mapping, SchemaRules.DEFAULT));
    quotes.land(
        new TestTask(
            quotes.topic,
            quotes.storage,
            new Schemas(schemas),
            FramingReader::new,
            topic -> Routing.toOne(table),
            Optional.empty(),
            100,
            100,
            new TestTask.BadRecords(Optional.of(queue), NullValues.IGNORE, 10),
            TestTask.Limits.WIDE,
            Clock.systemUTC(),
            OperatorConsent.NONE));
  }

  /** The rows, for a reader who reads all files by the table's schema. */
  private List<String> rows() throws Exception {
    Schema schema =
        new TableSchemas(quotes.storage, new TableLayout(Quotes.ROOT))
            .current()
            .orElseThrow()
            .schema();
    List<String> rows = new ArrayList<>();
    for (StoredFile file : quotes.storage.list(Quotes.ROOT)) {
      if (!file.directory()) {
        try (InputStream in = quotes.storage.open(file.path());
            DataFileStream<GenericRecord> read =
                new DataFileStream<>(in, new GenericDatumReader<>(null, schema))) {
          read.forEach(row -> rows.add(row.toString()));
        }
      }
    }
    return rows;
  }

  /** The schemas of the ids from 1. */
  private record Schemas(List<Schema> schemas) implements SchemaRegistry {
    @Override
    public RegisteredSchema schema(SchemaId id) throws SchemaNotFoundException {
      if (id instanceof SchemaId.Int32 number && number.value() <= schemas.size()) {
        return new RegisteredSchema(id, schemas.get(number.value() - 1));
      }
      throw SchemaNotFoundException.unknown(id, 40403, location());
    }

    @Override
    public String location() {
      return "memory";
    }

    @Override
    public void close() {}
  }
}
