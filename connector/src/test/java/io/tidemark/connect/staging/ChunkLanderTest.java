package io.tidemark.connect.staging;

import static io.tidemark.store.batch.DeliveredRecord.NOT_KEPT;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.avro.codegen.CompilerOptions;
import io.tidemark.avro.file.BlockCodec;
import io.tidemark.avro.plan.Planner;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.wire.Framing;
import io.tidemark.registry.wire.WireFormat;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.IncomingRecord;
import io.tidemark.store.file.AvroFileFactory;
import io.tidemark.store.file.AvroFileWriter;
import io.tidemark.store.partition.PathFormat;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.TimestampField;
import io.tidemark.store.schema.SchemaConflictException;
import io.tidemark.store.schema.TableSchema;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ChunkLanderTest {
  private static final long HOUR_MS = 3_600_000;
  private static final Schema V1 =
      SchemaBuilder.record("Quote").fields().requiredLong("offset").requiredLong("at").endRecord();
  private static final Schema V2 =
      SchemaBuilder.record("Quote")
          .fields()
          .requiredLong("offset")
          .name("venue")
          .type()
          .stringType()
          .stringDefault("none")
          .requiredLong("at")
          .endRecord();

  private static final int BLOCK_HEAD_AND_SYNC_BYTES = 20;
  private static final AvroFileFactory FILES =
      new AvroFileFactory(BlockCodec.of("null"), 256, () -> 1 << 20);

  private final RecordChunk chunk = new RecordChunk(new TopicPartition("quotes", 3), 16);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void alternatingSchemasLandInOneFileInOffsetOrder(boolean timeInField) throws Exception {
    for (int i = 0; i < 500; i++) {
      add(i, 0, i % 2 == 0 ? V1 : V2);
    }

    assertThat(land(timeInField)).isEqualTo(Map.of("hour=00", offsets(0, 500, 1)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void alternatingHoursLandInTheirFilesInOffsetOrder(boolean timeInField) throws Exception {
    for (int i = 0; i < 500; i++) {
      add(i, i % 3 * HOUR_MS, i / 100 % 2 == 0 ? V1 : V2);
    }

    assertThat(land(timeInField))
        .isEqualTo(
            Map.of(
                "hour=00", offsets(0, 500, 3),
                "hour=01", offsets(1, 500, 3),
                "hour=02", offsets(2, 500, 3)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void hourChangesInMidChunk(boolean timeInField) throws Exception {
    for (int i = 0; i < 300; i++) {
      add(i, i < 111 ? 0 : HOUR_MS, V2);
    }

    assertThat(land(timeInField))
        .isEqualTo(Map.of("hour=00", offsets(0, 111, 1), "hour=01", offsets(111, 300, 1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "63", "64", "67", "99", "0,1,2", "62,63,64,65", "5,7,70,98"})
  void malformedDatumIsNamedByItsOffsetAndTheOthersLand(String faulty) throws Exception {
    Set<Long> bad =
        Arrays.stream(faulty.split(",", -1)).map(Long::valueOf).collect(Collectors.toSet());
    for (boolean timeInField : new boolean[] {false, true}) {
      for (int mixed = 0; mixed < 3; mixed++) {
        var damaged = new RecordChunk(chunk.topicPartition(), 16);
        for (int i = 0; i < 100; i++) {
          Schema writer = mixed == 0 || i % 2 == 0 ? V2 : V1;
          long at = mixed == 2 ? i % 3 * HOUR_MS : 0;
          byte[] value = value(i, at, writer);
          if (bad.contains((long) i)) {
            value = Arrays.copyOf(value, value.length - 1);
          }
          damaged.add(
              new IncomingRecord(i, at, null, value, null, NOT_KEPT, null, null), framing(writer));
        }

        LandedChunk landed = lander().land(damaged, bindings(timeInField));

        assertThat(landed.rejected())
            .extracting(r -> r.place().offset())
            .containsAll(bad)
            .isSorted();
        assertThat(landed.rejected())
            .hasSize(bad.size())
            .allMatch(
                r -> r.toString().startsWith("quotes-3@" + r.place().offset() + ": the datum"))
            .allMatch(r -> r.reason().contains("field \"at\""));
        var rows = new ArrayList<Long>();
        for (ChunkPart part : landed.parts()) {
          List<Long> ofSegment = rows(part);
          assertThat(ofSegment).isSorted();
          rows.addAll(ofSegment);
        }
        assertThat(rows)
            .containsExactlyInAnyOrderElementsOf(
                offsets(0, 100, 1).stream().filter(i -> !bad.contains(i)).toList());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void recordWithAnImpossibleTimeIsRejectedAlone(boolean timeInField) throws Exception {
    for (int i = 0; i < 100; i++) {
      add(i, i == 66 ? -1L << 60 : 0, V2);
    }

    LandedChunk landed = lander().land(chunk, bindings(timeInField));

    assertThat(landed.rejected()).extracting(r -> r.place().offset()).containsExactly(66L);
    assertThat(landed.parts().get(0).summary().records()).isEqualTo(99);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void recordsThatGrowALotLandInSeveralResults(boolean timeInField) throws Exception {
    for (int i = 0; i < 1_000; i++) {
      add(i, i % 2 * HOUR_MS, V1);
    }
    Bindings growing =
        bindings(
            timeInField,
            SchemaBuilder.record("Quote")
                .fields()
                .requiredLong("offset")
                .name("venue")
                .type()
                .stringType()
                .stringDefault("n".repeat(2_000))
                .requiredLong("at")
                .endRecord());

    var landed = new ArrayList<Long>();
    int results = 0;
    List<RecordChunk> left = List.of(chunk);
    while (!left.isEmpty()) {
      LandedChunk next = lander().land(left.get(0), growing);
      assertThat(next.parts().stream().mapToLong(part -> part.summary().records()).sum())
          .as("a slice of 64 records exceeds twice the memory of all")
          .isLessThanOrEqualTo(128);
      for (ChunkPart part : next.parts()) {
        landed.addAll(rows(part));
      }
      left = next.rest();
      results++;
    }
    assertThat(results).isGreaterThanOrEqualTo(8);
    assertThat(landed).containsExactlyInAnyOrderElementsOf(offsets(0, 1_000, 1));
  }

  @Test
  void chunkOfBadRecordsTouchesNoFile() throws Exception {
    for (int i = 0; i < 100; i++) {
      chunk.add(
          new IncomingRecord(
              i, 0, null, new byte[WireFormat.DATUM_OFFSET], null, NOT_KEPT, null, null),
          framing(V2));
    }

    LandedChunk landed = lander().land(chunk, bindings(false));

    assertThat(landed.rejected()).hasSize(100);
    assertThat(landed.parts()).isEmpty();
  }

  @Test
  void manySmallRecordsMakeFullBlocksWhateverThePlan() throws Exception {
    for (int i = 0; i < 4000; i++) {
      add(i, 0, i % 2 == 0 ? V1 : V2);
    }

    ChunkPart part = lander().land(chunk, bindings(false)).parts().get(0);

    assertThat(part.summary().records()).isEqualTo(4000);
    List<AvroFileWriter.Part> blocks = writer(part).take();
    assertThat(blocks).filteredOn(block -> block.bytes() < 256).hasSizeLessThanOrEqualTo(1);
    assertThat(blocks).allMatch(block -> block.bytes() < 256 + 32 + BLOCK_HEAD_AND_SYNC_BYTES);
  }

  /** The offsets of each Hive partition's rows, read by Avro's library. */
  private Map<String, List<Long>> land(boolean timeInField) throws Exception {
    var landed = new LinkedHashMap<String, List<Long>>();
    for (ChunkPart part : lander().land(chunk, bindings(timeInField)).parts()) {
      landed.put(part.destination().partition().toString(), rows(part));
    }
    return landed;
  }

  private static ChunkLander lander() {
    return new ChunkLander(FILES, new CompiledPlans(Runnable::run, 8, CompilerOptions.NONE), false);
  }

  private static Bindings bindings(boolean timeInField) throws SchemaConflictException {
    return bindings(timeInField, V2);
  }

  private static Bindings bindings(boolean timeInField, Schema tableSchema)
      throws SchemaConflictException {
    var partitioning =
        new TimePartitioned(
            PathFormat.parse("'hour'=HH", Locale.ROOT),
            ZoneOffset.UTC,
            Duration.ofHours(1),
            timeInField ? Optional.of("at") : Optional.empty(),
            TimestampField.Unit.MILLIS);
    var table =
        new Table(
            new TableName("default", "quotes"),
            TableLayout.of(new StoragePath("/topics"), "quotes"),
            partitioning,
            TableOptions.DEFAULT);
    var bindings = new LinkedHashMap<SchemaId, Binding>();
    for (Schema writer : List.of(V1, V2)) {
      bindings.put(
          idOf(writer),
          new Binding(
              idOf(writer),
              table,
              new TableSchema(2, tableSchema),
              Planner.plan(writer, tableSchema, timeInField ? List.of("at") : List.of()),
              timeInField
                  ? Optional.of(
                      TimestampField.of(
                          "at",
                          V2.getField("at").schema(),
                          ZoneOffset.UTC,
                          TimestampField.Unit.MILLIS))
                  : Optional.empty(),
              List.of(),
              Optional.empty()));
    }
    return new Bindings(bindings, 0);
  }

  private void add(long offset, long timestamp, Schema schema) throws IOException {
    chunk.add(
        new IncomingRecord(
            offset, timestamp, null, value(offset, timestamp, schema), null, NOT_KEPT, null, null),
        framing(schema));
  }

  private static Framing framing(Schema schema) {
    return new Framing(idOf(schema), WireFormat.DATUM_OFFSET);
  }

  private static SchemaId idOf(Schema schema) {
    return SchemaId.of(schema.equals(V1) ? 1 : 2);
  }

  private static byte[] value(long offset, long timestamp, Schema schema) throws IOException {
    var builder = new GenericRecordBuilder(schema).set("offset", offset).set("at", timestamp);
    var out = new ByteArrayOutputStream();
    out.write(new byte[WireFormat.DATUM_OFFSET]);
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    new GenericDatumWriter<GenericRecord>(schema).write(builder.build(), encoder);
    encoder.flush();
    return out.toByteArray();
  }

  private static List<Long> offsets(int from, int to, int step) {
    return IntStream.range(from, to)
        .filter(i -> (i - from) % step == 0)
        .mapToObj(i -> (long) i)
        .toList();
  }

  private static AvroFileWriter writer(ChunkPart part) {
    AvroFileWriter writer =
        FILES.newFile(part.destination().schema(), UUID.randomUUID(), Runnable::run);
    writer.append(part.segment());
    writer.finish().join();
    return writer;
  }

  private static List<Long> rows(ChunkPart part) throws IOException {
    AvroFileWriter writer = writer(part);
    var file = new ByteArrayOutputStream();
    writer.writeHead(file);
    for (AvroFileWriter.Part block : writer.take()) {
      writer.write(block, file);
    }
    writer.end();
    var offsets = new ArrayList<Long>();
    try (var rows =
        new DataFileStream<GenericRecord>(
            new ByteArrayInputStream(file.toByteArray()), new GenericDatumReader<>())) {
      for (GenericRecord row : rows) {
        offsets.add((Long) row.get("offset"));
      }
    }
    return offsets;
  }
}
