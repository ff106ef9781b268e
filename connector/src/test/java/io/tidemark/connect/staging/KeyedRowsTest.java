package io.tidemark.connect.staging;

import static io.tidemark.store.batch.DeliveredRecord.NOT_KEPT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.avro.codegen.CompilerOptions;
import io.tidemark.avro.file.BlockCodec;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.registry.wire.UnframedDatumException;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.IncomingRecord;
import io.tidemark.store.batch.RecordKey;
import io.tidemark.store.file.AvroFileFactory;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.schema.KafkaColumns;
import io.tidemark.store.schema.KeyColumns;
import io.tidemark.store.schema.KeyColumns.Format;
import io.tidemark.store.schema.SchemaConflictException;
import io.tidemark.store.schema.SchemaLimits;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableOptions;
import io.tidemark.store.table.TableSchemas;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows of keys and values. Some have no value. */
final class KeyedRowsTest {
  private static final Schema KEY =
      SchemaBuilder.record("Customer")
          .fields()
          .requiredLong("id")
          .requiredString("region")
          .endRecord();
  private static final Schema VALUE =
      SchemaBuilder.record("Account")
          .fields()
          .requiredLong("id")
          .requiredString("name")
          .optionalDouble("balance")
          .endRecord();
  private static final Schema OTHER =
      SchemaBuilder.record("Order").fields().requiredLong("id").endRecord();
  private static final Schema TEXT = Schema.create(Schema.Type.STRING);
  private static final Schema NULLS = Schema.createArray(Schema.create(Schema.Type.NULL));
  private static final Schema CHAIN =
      SchemaBuilder.record("Chain")
          .fields()
          .name("next")
          .type()
          .optional()
          .type("Chain")
          .endRecord();
  private static final TableLayout LAYOUT = TableLayout.of(new StoragePath("/topics"), "accounts");
  private static final AvroFileFactory FILES =
      new AvroFileFactory(BlockCodec.of("null"), 256, () -> 1 << 20);
  private static final int RECORDS = 100;

  private final MemoryStorage storage = new MemoryStorage();
  private final Registry registry = new Registry(List.of(KEY, VALUE, TEXT, OTHER, NULLS, CHAIN));

  /** A record as a producer writes it; every third one deletes its key. */
  private static IncomingRecord record(long offset) throws IOException {
    return record(offset, key(offset), offset % 3 == 2 ? null : value(offset));
  }

  private static IncomingRecord record(
      long offset, byte @Nullable [] key, byte @Nullable [] value) {
    return new IncomingRecord(
        offset,
        1_000 * offset,
        null,
        value,
        null,
        NOT_KEPT,
        null,
        key == null ? null : new RecordKey(key, null));
  }

  private static byte[] key(long offset) throws IOException {
    GenericRecord key = new GenericData.Record(KEY);
    key.put("id", offset);
    key.put("region", "r" + offset);
    return framed(1, KEY, key);
  }

  private static byte[] value(long offset) throws IOException {
    GenericRecord value = new GenericData.Record(VALUE);
    value.put("id", offset);
    value.put("name", "n" + offset);
    value.put("balance", offset % 2 == 0 ? null : offset / 4.0);
    return framed(2, VALUE, value);
  }

  private static byte[] framed(int id, Schema schema, Object datum) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(ByteBuffer.allocate(5).put((byte) 0).putInt(id).array());
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    new GenericDatumWriter<>(schema).write(datum, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  @Test
  void eachRecordIsARowAndOneWithoutAValueSaysThatItsKeyIsDeleted() throws Exception {
    List<IncomingRecord> records = new ArrayList<>();
    for (long offset = 0; offset < RECORDS; offset++) {
      records.add(record(offset));
    }

    assertRows(land(Format.AVRO, records));
    assertThat(newest().getFields())
        .extracting(Schema.Field::name)
        .containsExactly(
            "kafka_key_id", "kafka_key_region", "kafka_deleted", "id", "name", "balance");
  }

  private static void assertRows(List<GenericRecord> rows) {
    assertThat(rows).hasSize(RECORDS);
    for (int offset = 0; offset < RECORDS; offset++) {
      GenericRecord row = rows.get(offset);
      boolean deleted = offset % 3 == 2;
      assertThat(row.get("kafka_key_id")).isEqualTo((long) offset);
      assertThat(row.get("kafka_key_region")).hasToString("r" + offset);
      assertThat(row.get("kafka_deleted")).isEqualTo(deleted);
      assertThat(row.get("id")).isEqualTo(deleted ? null : (long) offset);
      assertThat(String.valueOf(row.get("name"))).isEqualTo(deleted ? "null" : "n" + offset);
      assertThat(row.get("balance")).isEqualTo(deleted || offset % 2 == 0 ? null : offset / 4.0);
    }
  }

  /** The table finally has all columns, independent of the order of the records. */
  @Test
  void tableMayBeginWithARecordWithoutAValue() throws Exception {
    land(Format.AVRO, List.of(record(2)));
    List<IncomingRecord> records = new ArrayList<>();
    for (long offset = 0; offset < RECORDS; offset++) {
      records.add(record(offset));
    }
    assertRows(land(Format.AVRO, records));
    assertThat(newest().getFullName()).isEqualTo("io.tidemark.Row");
  }

  /** The table continues when rows are no longer made of keys, independent of that order. */
  @Test
  void tableTakesValuesAloneLater() throws Exception {
    land(Format.AVRO, List.of(record(2), record(3)));
    landValuesAlone();

    assertThat(newest().getFullName()).isEqualTo("io.tidemark.Row");
  }

  /** Avro represents a number in memory by another kind of node than its parser does. */
  @Test
  void fieldsOfKeysMayHaveDefaults() throws Exception {
    Schema key =
        new Schema.Parser()
            .parse(
                """
                {"type": "record", "name": "Customer", "fields": [
                  {"name": "id", "type": "long", "default": 0},
                  {"name": "part", "type": ["long", "null"], "default": 1},
                  {"name": "rate", "type": "float", "default": 0.1},
                  {"name": "cost", "type": "bytes", "default": "\\u00ff"},
                  {"name": "name", "type": ["null", "string"], "default": null}]}\
                """);

    assertThat(schema("kafka_", key, VALUE).getFields()).hasSize(5 + 1 + 3);
  }

  /** A second kind of record is refused as in any table. It is not treated as the first kind. */
  @Test
  void valuesOfAnotherNameHaveAnotherTable() throws Exception {
    land(Format.AVRO, List.of(record(0), record(2)));
    assertThat(newest().getFullName()).isEqualTo("Account");
    byte[] other = framed(4, OTHER, new GenericRecordBuilder(OTHER).set("id", 1L).build());

    assertThatThrownBy(() -> land(Format.AVRO, List.of(record(3, key(3), other))))
        .isInstanceOf(SchemaConflictException.class)
        .hasMessageContaining("these are different types");
  }

  @Test
  void tableGetsTheColumnsLaterAndRecordsWithoutAKeyHaveNullThere() throws Exception {
    landValuesAlone();

    List<GenericRecord> rows = land(Format.AVRO, List.of(record(0, null, value(0)), record(1)));

    assertThat(newest().getFields())
        .extracting(Schema.Field::name)
        .containsExactly(
            "id", "name", "balance", "kafka_deleted", "kafka_key_id", "kafka_key_region");
    assertThat(rows.get(0).get("kafka_key_id")).isNull();
    assertThat(rows.get(0).get("kafka_deleted")).isEqualTo(false);
    assertThat(rows.get(1).get("kafka_key_id")).isEqualTo(1L);
  }

  @Test
  void keysThatAreTextsHaveOneColumn() throws Exception {
    byte[] text = "Zürich".getBytes(StandardCharsets.UTF_8);
    List<GenericRecord> rows =
        land(
            Format.STRING,
            List.of(record(0, text, value(0)), record(1, text, null), record(2, null, value(2))));
    assertThat(rows)
        .extracting(row -> String.valueOf(row.get("kafka_key_value")))
        .containsExactly("Zürich", "Zürich", "null");
    assertThat(rows)
        .extracting(row -> row.get("kafka_deleted"))
        .containsExactly(false, true, false);
  }

  @Test
  void keysThatAreNoRecordsHaveOneColumn() throws Exception {
    List<GenericRecord> avro =
        land(
            Format.AVRO,
            List.of(
                record(0, framed(3, TEXT, "a"), value(0)), record(1, framed(3, TEXT, "b"), null)));
    assertThat(avro)
        .extracting(row -> String.valueOf(row.get("kafka_key_value")))
        .contains("a", "b");
  }

  @Test
  void columnsOfKafkaStandInFrontOfThoseOfTheKey() throws Exception {
    KafkaColumns columns = new KafkaColumns(EnumSet.of(KafkaColumns.Column.OFFSET), "kafka_");
    IncomingRecord record =
        new IncomingRecord(
            7,
            0,
            null,
            null,
            null,
            NOT_KEPT,
            columns.bytes("accounts", 0, 7, 0, null, List.of()),
            new RecordKey(key(5), null));

    List<GenericRecord> rows = land(Format.AVRO, Optional.of(columns), List.of(record));

    assertThat(rows.get(0).get("kafka_offset")).isEqualTo(7L);
    assertThat(rows.get(0).get("kafka_key_id")).isEqualTo(5L);
  }

  /** Otherwise a key of a few bytes, or a deep one, would end the task or never end. */
  @Test
  void keyOfEndlessItemsOrDepthIsDamaged() throws Exception {
    KeyedRows rows = rows(Format.AVRO);
    RowReader reader = rows.reader(new FramingReader());
    byte[] endless = {0, 0, 0, 0, 5, -2, -1, -1, -1, -1, -1, -1, -1, -1, 1, 0};
    byte[] deep = new byte[1 << 20];
    Arrays.fill(deep, (byte) 2);
    System.arraycopy(new byte[] {0, 0, 0, 0, 6}, 0, deep, 0, 5);
    for (byte[] key : List.of(endless, deep)) {
      RowReader.Row row = reader.read(record(1, key, value(1)));
      assertThat(
              rows.schema(
                  (SchemaId.OfKeyAndValue) row.framing().id(), Bindings.NONE, Optional.empty()))
          .isNotNull();
      assertThat(assertTimeoutPreemptively(Duration.ofSeconds(20), () -> reader.problem(row)))
          .hasValueSatisfying(
              problem -> assertThat(problem).contains("its key does not match schema id"));
    }
  }

  /** The keys of rows that are not bound make room, but all others must still be checked. */
  @Test
  void keysOfBoundRowsAloneAreKept() throws Exception {
    KeyedRows rows = rows(Format.AVRO);
    RowReader reader = rows.reader(new FramingReader());
    SchemaBinder binder = binder(rows, Optional.empty());
    RowReader.Row damaged = reader.read(record(1, Arrays.copyOf(key(1), 6), value(1)));
    SchemaId deleted = reader.read(record(1, key(1), null)).framing().id();
    SchemaId other = reader.read(record(1, null, value(1))).framing().id();
    Bindings both = binder.extend(Bindings.NONE, damaged.framing().id());

    Bindings all = binder.extend(binder.extend(both, other), deleted);
    assertThat(all.find(damaged.framing().id())).isNotNull();
    assertThat(reader.problem(damaged)).isPresent();

    SchemaId text =
        new SchemaId.OfKeyAndValue(Optional.of(SchemaId.of(3)), Optional.of(SchemaId.of(4)));
    assertThat(rows.schema((SchemaId.OfKeyAndValue) text, Bindings.NONE, Optional.empty()))
        .isNotNull();
    assertThat(reader.problem(damaged)).as("it comes again with its binding").isEmpty();
  }

  /** If a damaged key has too few or too many bytes, they must not be taken from the value. */
  @Test
  void keyThatIsNotWhatItsSchemaSaysIsNoPartOfARow() throws Exception {
    KeyedRows rows = rows(Format.AVRO);
    RowReader reader = rows.reader(new FramingReader());
    SchemaBinder binder = binder(rows, Optional.empty());
    RowReader.Row whole = reader.read(record(1));
    SchemaId both = whole.framing().id();
    assertThat(binder.extend(Bindings.NONE, both).find(both)).isNotNull();
    assertThat(reader.problem(whole)).isEmpty();

    byte[] key = key(1);
    for (int length = 5; length < key.length + 3; length++) {
      if (length != key.length) {
        byte[] damaged = Arrays.copyOf(key, length);
        assertThat(reader.problem(reader.read(record(1, damaged, value(1)))))
            .as("%d bytes", length)
            .hasValueSatisfying(
                problem -> assertThat(problem).contains("its key does not match schema id 1"));
      }
    }
    assertThat(
            rows(Format.STRING)
                .reader(new FramingReader())
                .problem(
                    rows(Format.STRING)
                        .reader(new FramingReader())
                        .read(record(1, new byte[] {(byte) 0xff}, null))))
        .hasValueSatisfying(problem -> assertThat(problem).contains("columns.key.format"));
    assertThatThrownBy(() -> reader.read(record(1, new byte[] {7}, null)))
        .isInstanceOf(UnframedDatumException.class);
  }

  @Test
  void fieldsAndTypesOfOneNameAreRefused() throws Exception {
    Schema clash =
        SchemaBuilder.record("Account").fields().requiredLong("KAFKA_KEY_ID").endRecord();
    assertThatThrownBy(() -> schema("kafka_", KEY, clash))
        .isInstanceOf(SchemaConflictException.class)
        .hasMessageContaining("Set columns.kafka.prefix to another one");
    assertThat(schema("k_", KEY, clash).getFields()).hasSize(4);

    Schema key = holding("Customer", "Place", "x");
    assertThatThrownBy(() -> schema("kafka_", key, holding("Account", "Place", "y")))
        .isInstanceOf(SchemaConflictException.class)
        .hasMessageContaining("Give their types different names");
    assertThat(schema("kafka_", key, holding("Account", "Place", "x")).getFields()).hasSize(3);
    assertThat(schema("kafka_", key, holding("Account", "Site", "y")).getFields()).hasSize(3);
  }

  private static Schema holding(String name, String type, String field) {
    return SchemaBuilder.record(name)
        .fields()
        .name("at")
        .type(SchemaBuilder.record(type).fields().requiredLong(field).endRecord())
        .noDefault()
        .endRecord();
  }

  private static Schema schema(String prefix, Schema key, Schema value) throws Exception {
    return new KeyColumns(Format.AVRO, prefix)
        .schema(Optional.of(key), Optional.of(value), Optional.empty());
  }

  private Schema newest() throws Exception {
    return new TableSchemas(storage, LAYOUT).current().orElseThrow().schema();
  }

  private KeyedRows rows(Format format) {
    return new KeyedRows(new KeyColumns(format, "kafka_"), registry, FramingReader::new);
  }

  private static Routing routing() {
    return Routing.toOne(
        new Table(
            new TableName("default", "accounts"),
            LAYOUT,
            PartitionSpec.NONE,
            TableOptions.DEFAULT));
  }

  /** Lands values as a connector does whose rows are not made of keys. */
  private void landValuesAlone() throws Exception {
    SchemaBinder binder =
        new SchemaBinder(
            registry,
            FramingReader::new,
            routing(),
            layout -> new TableSchemas(storage, layout),
            true,
            100,
            SchemaLimits.DEFAULT,
            Optional.empty(),
            Optional.empty());
    assertThat(binder.extend(Bindings.NONE, SchemaId.of(2)).find(SchemaId.of(2))).isNotNull();
  }

  private SchemaBinder binder(KeyedRows rows, Optional<KafkaColumns> columns) {
    return new SchemaBinder(
        registry,
        FramingReader::new,
        routing(),
        layout -> new TableSchemas(storage, layout),
        true,
        100,
        SchemaLimits.DEFAULT,
        columns,
        Optional.of(rows));
  }

  private List<GenericRecord> land(Format format, List<IncomingRecord> records) throws Exception {
    return land(format, Optional.empty(), records);
  }

  /** The rows, read by Avro's library from their file. */
  private List<GenericRecord> land(
      Format format, Optional<KafkaColumns> columns, List<IncomingRecord> records)
      throws Exception {
    KeyedRows rows = rows(format);
    SchemaBinder binder = binder(rows, columns);
    RowReader reader = rows.reader(new FramingReader());
    Bindings bindings = Bindings.NONE;
    RecordChunk chunk = new RecordChunk(new TopicPartition("accounts", 0), 16);
    for (IncomingRecord record : records) {
      RowReader.Row row = reader.read(record);
      if (bindings.find(row.framing().id()) == null) {
        bindings = binder.extend(bindings, row.framing().id());
      }
      assertThat(reader.problem(row)).isEmpty();
      chunk.add(row.record(), row.framing());
    }
    ChunkLander lander =
        new ChunkLander(FILES, new CompiledPlans(Runnable::run, 8, CompilerOptions.NONE), false);
    LandedChunk landed = lander.land(chunk, bindings);
    assertThat(landed.rejected()).isEmpty();
    List<GenericRecord> read = new ArrayList<>();
    for (ChunkPart part : landed.parts()) {
      read.addAll(PartRows.of(FILES, part));
    }
    return read;
  }

  private record Registry(List<Schema> writers) implements SchemaRegistry {
    @Override
    public RegisteredSchema schema(SchemaId id) {
      return new RegisteredSchema(id, writers.get(Integer.parseInt(id.text()) - 1));
    }

    @Override
    public String location() {
      return "memory";
    }

    @Override
    public void close() {}
  }
}
