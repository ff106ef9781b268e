package io.tidemark.connect.staging;

import static io.tidemark.store.batch.DeliveredRecord.NOT_KEPT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.avro.codegen.CompilerOptions;
import io.tidemark.avro.file.BlockCodec;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.Framing;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.registry.wire.WireFormat;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.IncomingRecord;
import io.tidemark.store.file.AvroFileFactory;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.schema.KafkaColumns;
import io.tidemark.store.schema.KafkaColumns.Column;
import io.tidemark.store.schema.SchemaConflictException;
import io.tidemark.store.schema.SchemaLimits;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableOptions;
import io.tidemark.store.table.TableSchemas;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;

/**
 * Rows with columns of Kafka's metadata, in tables that had the columns before, get them later, or
 * keep them.
 */
final class KafkaColumnsLandingTest {
  private static final Schema V1 =
      SchemaBuilder.record("Quote").fields().requiredString("key").endRecord();
  private static final Schema V2 =
      SchemaBuilder.record("Quote")
          .fields()
          .requiredString("key")
          .name("venue")
          .type()
          .stringType()
          .stringDefault("none")
          .endRecord();
  private static final TableLayout LAYOUT = TableLayout.of(new StoragePath("/topics"), "quotes");
  private static final AvroFileFactory FILES =
      new AvroFileFactory(BlockCodec.of("null"), 256, () -> 1 << 20);
  private static final KafkaColumns COLUMNS =
      new KafkaColumns(EnumSet.of(Column.OFFSET, Column.TIMESTAMP), "kafka_");
  private static final int RECORDS = 200;

  private final MemoryStorage storage = new MemoryStorage();

  @Test
  void columnsStandInFrontOfCopiedAndOfRewrittenDatums() throws Exception {
    for (PartitionSpec each : List.of(PartitionSpec.NONE, new FieldPartitioned(List.of("key")))) {
      Bindings bindings = bind(Optional.of(COLUMNS), each);

      assertRows(land(Optional.of(COLUMNS), bindings), true);
    }
  }

  @Test
  void tableGetsTheColumnsLater() throws Exception {
    Bindings before = bind(Optional.empty(), PartitionSpec.NONE);
    assertRows(land(Optional.empty(), before), false);

    Bindings bindings = bind(Optional.of(COLUMNS), PartitionSpec.NONE);

    assertThat(newest().getFields())
        .extracting(Schema.Field::name)
        .containsExactly("key", "venue", "kafka_offset", "kafka_timestamp");
    assertRows(land(Optional.of(COLUMNS), bindings), true);
  }

  @Test
  void columnsAreNullWhereTheyAreNoLongerWanted() throws Exception {
    assertRows(land(Optional.of(COLUMNS), bind(Optional.of(COLUMNS), PartitionSpec.NONE)), true);

    List<GenericRecord> rows = land(Optional.empty(), bind(Optional.empty(), PartitionSpec.NONE));

    assertRows(rows, false);
    assertThat(rows)
        .allMatch(row -> row.hasField("kafka_offset") && row.get("kafka_offset") == null);
  }

  @Test
  void recordThatHoldsItselfCannotHaveThem() {
    Schema recursive =
        new Schema.Parser()
            .parse(
                "{\"type\":\"record\",\"name\":\"Quote\",\"fields\":[{\"name\":\"next\",\"type\":[\"null\",\"Quote\"]}]}");

    assertThatThrownBy(
            () ->
                binder(Optional.of(COLUMNS), PartitionSpec.NONE, recursive)
                    .extend(Bindings.NONE, SchemaId.of(1)))
        .isInstanceOf(SchemaConflictException.class);
  }

  private Schema newest() throws Exception {
    return new TableSchemas(storage, LAYOUT).current().orElseThrow().schema();
  }

  private static void assertRows(List<GenericRecord> rows, boolean withColumns) {
    assertThat(rows).hasSize(RECORDS);
    for (GenericRecord row : rows) {
      long offset = Long.parseLong(row.get("key").toString().substring(1));
      assertThat(row.get("venue")).hasToString(offset % 2 == 0 ? "none" : "v" + offset);
      if (withColumns) {
        assertThat(row.get("kafka_offset")).isEqualTo(offset);
        assertThat(row.get("kafka_timestamp")).isEqualTo(1_000 * offset);
      }
    }
  }

  private Bindings bind(Optional<KafkaColumns> columns, PartitionSpec partitioning)
      throws Exception {
    SchemaBinder binder = binder(columns, partitioning, V1, V2);
    return binder.extend(binder.extend(Bindings.NONE, SchemaId.of(1)), SchemaId.of(2));
  }

  private SchemaBinder binder(
      Optional<KafkaColumns> columns, PartitionSpec partitioning, Schema... writers) {
    return new SchemaBinder(
        new Registry(List.of(writers)),
        FramingReader::new,
        Routing.toOne(
            new Table(
                new TableName("default", "quotes"), LAYOUT, partitioning, TableOptions.DEFAULT)),
        layout -> new TableSchemas(storage, layout),
        true,
        100,
        SchemaLimits.DEFAULT,
        columns,
        Optional.empty());
  }

  /** Records of both schemas alternately, read by Avro's library from their files. */
  private static List<GenericRecord> land(Optional<KafkaColumns> columns, Bindings bindings)
      throws IOException {
    RecordChunk chunk = new RecordChunk(new TopicPartition("quotes", 3), 16);
    for (int offset = 0; offset < RECORDS; offset++) {
      Schema writer = offset % 2 == 0 ? V1 : V2;
      long timestamp = 1_000L * offset;
      byte[] inFront =
          columns.isEmpty()
              ? null
              : columns.get().bytes("quotes", 3, offset, timestamp, null, List.of());
      chunk.add(
          new IncomingRecord(
              offset, timestamp, null, value(writer, offset), null, NOT_KEPT, inFront, null),
          new Framing(SchemaId.of(offset % 2 == 0 ? 1 : 2), WireFormat.DATUM_OFFSET));
    }
    ChunkLander lander =
        new ChunkLander(FILES, new CompiledPlans(Runnable::run, 8, CompilerOptions.NONE), false);
    LandedChunk landed = lander.land(chunk, bindings);
    assertThat(landed.rejected()).isEmpty();
    List<GenericRecord> rows = new ArrayList<>();
    for (ChunkPart part : landed.parts()) {
      rows.addAll(PartRows.of(FILES, part));
    }
    return rows;
  }

  private static byte[] value(Schema writer, long offset) throws IOException {
    GenericRecordBuilder row = new GenericRecordBuilder(writer).set("key", "k" + offset);
    if (writer.getField("venue") != null) {
      row.set("venue", "v" + offset);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(new byte[WireFormat.DATUM_OFFSET]);
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    new GenericDatumWriter<GenericRecord>(writer).write(row.build(), encoder);
    encoder.flush();
    return out.toByteArray();
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
