package io.tidemark.connect.staging;

import static io.tidemark.store.batch.DeliveredRecord.NOT_KEPT;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.avro.codegen.CompilerOptions;
import io.tidemark.avro.file.BlockCodec;
import io.tidemark.connect.staging.Routing.RecordNames;
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
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.schema.SchemaLimits;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableOptions;
import io.tidemark.store.table.TableSchemas;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A chunk whose records go to several tables. */
final class TablePartsTest {
  private static final AvroFileFactory FILES =
      new AvroFileFactory(BlockCodec.of("null"), 256, () -> 1 << 20);

  // Two schemas for each of three names.
  private static final List<Schema> WRITERS =
      List.of(type("A", 1), type("A", 2), type("B", 1), type("B", 2), type("C", 1), type("C", 2));

  private final MemoryStorage storage = new MemoryStorage();

  private static Schema type(String name, int fields) {
    SchemaBuilder.FieldAssembler<Schema> type =
        SchemaBuilder.record(name).fields().requiredLong("seq");
    for (int i = 1; i < fields; i++) {
      type = type.optionalString("more" + i);
    }
    return type.endRecord();
  }

  private static Table table(String name) {
    return new Table(
        new TableName("default", name),
        TableLayout.of(new StoragePath("/topics"), name),
        PartitionSpec.NONE,
        TableOptions.DEFAULT);
  }

  private Bindings bindings(int schemas) throws Exception {
    Map<String, Table> tables = Map.of("A", table("a"), "B", table("b"), "C", table("c"));
    SchemaBinder binder =
        new SchemaBinder(
            new Registry(),
            FramingReader::new,
            new RecordNames(tables, Optional.empty(), "record2table.map", false),
            layout -> new TableSchemas(storage, layout),
            true,
            100,
            SchemaLimits.DEFAULT,
            Optional.empty(),
            Optional.empty());
    Bindings bindings = Bindings.NONE;
    for (int id = 1; id <= schemas; id++) {
      bindings = binder.extend(bindings, SchemaId.of(id));
    }
    return bindings;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void eachTableHasItsRecordsInTheirOrder(int seed) throws Exception {
    Random random = new Random(seed);
    Bindings bindings = bindings(6);
    RecordChunk chunk = new RecordChunk(new TopicPartition("events", 0), 4);
    Map<String, List<Long>> sent = new HashMap<>();
    List<Long> damaged = new ArrayList<>();
    int type = 0;
    for (long offset = 0; offset < 500; offset++) {
      if (random.nextInt(seed) == 0) {
        type = random.nextInt(WRITERS.size());
      }
      byte[] value = value(WRITERS.get(type), offset);
      if (random.nextInt(50) == 0) {
        value = Arrays.copyOf(value, value.length + 1);
        damaged.add(offset);
      } else {
        sent.computeIfAbsent(WRITERS.get(type).getName(), name -> new ArrayList<>()).add(offset);
      }
      chunk.add(
          new IncomingRecord(offset, 0, null, value, null, NOT_KEPT, null, null),
          new Framing(SchemaId.of(type + 1), WireFormat.DATUM_OFFSET));
    }

    LandedChunk landed =
        new ChunkLander(FILES, new CompiledPlans(Runnable::run, 8, CompilerOptions.NONE), false)
            .land(chunk, bindings);

    Map<String, List<Long>> got = new HashMap<>();
    for (ChunkPart part : landed.parts()) {
      for (GenericRecord row : PartRows.of(FILES, part)) {
        got.computeIfAbsent(row.getSchema().getName(), name -> new ArrayList<>())
            .add((Long) row.get("seq"));
      }
    }
    assertThat(got).isEqualTo(sent);
    assertThat(landed.rejected())
        .extracting(rejected -> rejected.place().offset())
        .containsExactlyElementsOf(damaged);
  }

  @Test
  void chunkOfOneTableStaysWhole() throws Exception {
    RecordChunk chunk = new RecordChunk(new TopicPartition("events", 0), 4);
    for (int offset = 0; offset < 4; offset++) {
      chunk.add(
          new IncomingRecord(
              offset, 0, null, value(WRITERS.get(offset % 2), offset), null, NOT_KEPT, null, null),
          new Framing(SchemaId.of(offset % 2 + 1), WireFormat.DATUM_OFFSET));
    }
    assertThat(chunk.byTable(bindings(2))).containsExactly(chunk);
    assertThat(chunk.byTable(bindings(6))).containsExactly(chunk);
  }

  private static byte[] value(Schema writer, long seq) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(new byte[WireFormat.DATUM_OFFSET]);
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    new GenericDatumWriter<GenericRecord>(writer)
        .write(new GenericRecordBuilder(writer).set("seq", seq).build(), encoder);
    encoder.flush();
    return out.toByteArray();
  }

  private static final class Registry implements SchemaRegistry {
    @Override
    public RegisteredSchema schema(SchemaId id) {
      return new RegisteredSchema(id, WRITERS.get(Integer.parseInt(id.text()) - 1));
    }

    @Override
    public String location() {
      return "memory";
    }

    @Override
    public void close() {}
  }
}
