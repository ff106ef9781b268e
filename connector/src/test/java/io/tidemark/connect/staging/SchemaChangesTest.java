package io.tidemark.connect.staging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.avro.codegen.CompilerOptions;
import io.tidemark.avro.file.BlockCodec;
import io.tidemark.connect.staging.SchemaChange.Place;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.Framing;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.registry.wire.WireFormat;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.DeliveredRecord;
import io.tidemark.store.batch.IncomingRecord;
import io.tidemark.store.file.AvroFileFactory;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.schema.HiveSchema;
import io.tidemark.store.schema.SchemaCompatibility;
import io.tidemark.store.schema.SchemaConflictException;
import io.tidemark.store.schema.SchemaLimits;
import io.tidemark.store.schema.SchemaRules;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableOptions;
import io.tidemark.store.table.TableSchemas;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.util.RandomData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each change of a schema does to the table, as the binder decides it. The table of
 * docs/TABLES.md has these results; to write it again, run the test with
 * -Dtidemark.docs.write=true.
 */
final class SchemaChangesTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "TABLES.md");
  private static final String BEGIN = "<!-- SchemaChangesTest writes this table. -->\n";
  private static final String END = "<!-- End of the table. -->\n";

  private static final List<SchemaCompatibility> ALL = List.of(SchemaCompatibility.values());
  private static final int HEADER = WireFormat.DATUM_OFFSET;
  private static final AvroFileFactory FILES =
      new AvroFileFactory(BlockCodec.of("null"), 1 << 16, () -> Long.MAX_VALUE);
  private static final SchemaId ONE = SchemaId.of(1);
  private static final SchemaId TWO = SchemaId.of(2);
  private static final TableLayout LAYOUT = TableLayout.of(new StoragePath("/topics"), "r");

  @Test
  void documentHasTheResultOfEachChange() throws Exception {
    StringBuilder table = new StringBuilder(BEGIN);
    table.append("| change |");
    ALL.forEach(permitted -> table.append(" ").append(permitted).append(" |"));
    table.append("\n|---").append("|---".repeat(ALL.size())).append("|\n");
    Map<String, String> rows = new LinkedHashMap<>();
    for (SchemaChange change : SchemaChange.ALL) {
      StringBuilder row = new StringBuilder();
      for (SchemaCompatibility permitted : ALL) {
        row.append(" ").append(result(change, Place.TABLE, permitted)).append(" |");
      }
      assertThat(rows.getOrDefault(change.what(), row.toString()))
          .as("%s: %s to %s", change.what(), change.first(), change.then())
          .hasToString(row.toString());
      rows.put(change.what(), row.toString());
    }
    rows.forEach(
        (what, row) -> table.append("| ").append(what).append(" |").append(row).append("\n"));
    String document = Files.readString(DOCUMENT);
    int from = document.indexOf(BEGIN);
    int to = document.indexOf(END);
    assertThat(from).as("%s has no line %s", DOCUMENT, BEGIN).isNotNegative().isLessThan(to);
    if (Boolean.getBoolean("tidemark.docs.write")) {
      Files.writeString(DOCUMENT, document.substring(0, from) + table + document.substring(to));
    }
    assertThat(document.substring(from, to)).isEqualTo(table.toString());
  }

  static Stream<Arguments> changes() {
    return SchemaChange.ALL.stream()
        .flatMap(
            change ->
                ALL.stream().map(permitted -> Arguments.of(change.what(), change, permitted)));
  }

  @ParameterizedTest(name = "{0}, {2}")
  @MethodSource("changes")
  void nestedRecordChangesAsTheTableItself(
      String what, SchemaChange change, SchemaCompatibility permitted) throws Exception {
    String ofTable = result(change, Place.TABLE, permitted);
    for (Place place : Place.values()) {
      assertThat(result(change, place, permitted)).as("%s in %s", what, place).isEqualTo(ofTable);
    }
  }

  @ParameterizedTest(name = "{0}, {2}")
  @MethodSource("changes")
  void conflictGoesWhereTheSettingSays(
      String what, SchemaChange change, SchemaCompatibility permitted) throws Exception {
    if (!result(change, Place.TABLE, permitted).equals("conflict")) {
      return;
    }
    assertThat(conflict(change, new SchemaRules(permitted, false)).deadLetters()).isFalse();
    assertThat(conflict(change, new SchemaRules(permitted, true)).deadLetters()).isTrue();

    MemoryStorage storage = new MemoryStorage();
    Table table = table("r", new SchemaRules(permitted, false));
    Table second = table("r_other", new SchemaRules(permitted, false));
    SchemaBinder binder =
        binder(
            storage,
            change,
            Place.TABLE,
            new Routing.WithConflicts(Routing.toOne(table), Map.of(table, second)));
    Bindings both = binder.extend(binder.extend(Bindings.NONE, ONE), TWO);

    assertThat(both.require(ONE).table()).isEqualTo(table);
    assertThat(both.require(TWO).table()).isEqualTo(second);
    assertThat(both.require(TWO).plan().copies()).isTrue();
    assertThat(new TableSchemas(storage, table.layout()).newestVersion()).isEqualTo(1);
    assertThat(new TableSchemas(storage, second.layout()).newestVersion()).isEqualTo(1);
  }

  @ParameterizedTest(name = "{0}, {2}")
  @MethodSource("changes")
  void anotherCompatibilityAcceptsTheSchema(
      String what, SchemaChange change, SchemaCompatibility permitted) throws Exception {
    if (!result(change, Place.TABLE, permitted).equals("conflict")
        || result(change, Place.TABLE, SchemaCompatibility.NONE).equals("conflict")) {
      return;
    }
    MemoryStorage storage = new MemoryStorage();
    Table table = table("r", new SchemaRules(permitted, false));
    SchemaBinder binder = binder(storage, change, Place.TABLE, Routing.toOne(table));
    Bindings first = binder.extend(Bindings.NONE, ONE);
    assertThatThrownBy(() -> binder.extend(first, TWO))
        .hasMessageContaining("schema.compatibility=" + permitted)
        .hasMessageContaining("or set another schema.compatibility for the table");

    Table other = table("r", SchemaRules.DEFAULT);
    SchemaBinder changed = binder(storage, change, Place.TABLE, Routing.toOne(other));
    assertThat(changed.extend(Bindings.NONE, TWO).require(TWO).table()).isEqualTo(other);
  }

  @Test
  void defaultMakesTheFieldAcceptable() throws Exception {
    SchemaChange without = SchemaChange.ALL.get(0);
    SchemaRules rules = new SchemaRules(SchemaCompatibility.BACKWARD, false);
    assertThat(conflict(without, rules))
        .hasMessage(
            "Field R.a: it is new and has no default, so with the record's schema a reader cannot"
                + " read earlier records, as schema.compatibility=BACKWARD requires. Give the field"
                + " a default, or set another schema.compatibility for the table"
                + " (table.NAME.schema.compatibility). The table's schema is"
                + " memory:/topics/r/.tidemark/schemas/0000000001.avsc; restore it from a copy if"
                + " it was damaged.");
    assertThat(result(SchemaChange.ALL.get(1), Place.TABLE, rules.permitted()))
        .startsWith("column, default before");
  }

  /** Random records of both schemas land as Avro's library reads them with the table's schema. */
  @ParameterizedTest(name = "{0}, {2}")
  @MethodSource("changes")
  void valuesAreThoseThatAvroReads(String what, SchemaChange change, SchemaCompatibility permitted)
      throws Exception {
    if (result(change, Place.TABLE, permitted).equals("conflict")) {
      return;
    }
    Table table = table("r", new SchemaRules(permitted, false));
    SchemaBinder binder = binder(new MemoryStorage(), change, Place.TABLE, Routing.toOne(table));
    Bindings both = binder.extend(binder.extend(Bindings.NONE, ONE), TWO);
    Schema schema = both.require(ONE).tableSchema().schema();
    RecordChunk chunk = new RecordChunk(new TopicPartition("r", 0), 4);
    Map<Long, GenericRecord> expected = new TreeMap<>();
    for (SchemaId id : List.of(ONE, TWO, ONE)) {
      Schema writer = id.equals(ONE) ? change.first(Place.TABLE) : change.then(Place.TABLE);
      for (Object datum : new RandomData(writer, 20, expected.size())) {
        long offset = expected.size();
        byte[] bytes = encoded(writer, datum);
        expected.put(
            offset,
            new GenericDatumReader<GenericRecord>(writer, schema)
                .read(
                    null,
                    DecoderFactory.get()
                        .binaryDecoder(bytes, HEADER, bytes.length - HEADER, null)));
        chunk.add(
            new IncomingRecord(offset, 0, null, bytes, null, DeliveredRecord.NOT_KEPT, null, null),
            new Framing(id, WireFormat.DATUM_OFFSET));
      }
    }

    ChunkLander lander =
        new ChunkLander(FILES, new CompiledPlans(Runnable::run, 8, CompilerOptions.NONE), false);
    List<GenericRecord> rows = new ArrayList<>();
    Deque<RecordChunk> left = new ArrayDeque<>(List.of(chunk));
    while (!left.isEmpty()) {
      LandedChunk landed = lander.land(left.removeFirst(), both);
      for (ChunkPart part : landed.parts()) {
        rows.addAll(PartRows.of(FILES, part));
      }
      landed.rejected().forEach(record -> expected.remove(record.place().offset()));
      if (!what.endsWith("`long`")) { // Most random longs are not those of a double.
        assertThat(landed.rejected()).isEmpty();
      }
      left.addAll(landed.rest());
    }
    assertThat(rows).containsExactlyElementsOf(expected.values());
  }

  /** Returns a datum behind the bytes of its schema id. */
  private static byte[] encoded(Schema schema, Object datum) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(new byte[HEADER]);
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
    new GenericDatumWriter<>(schema).write(datum, encoder);
    encoder.flush();
    return bytes.toByteArray();
  }

  private static SchemaConflictException conflict(SchemaChange change, SchemaRules rules)
      throws Exception {
    SchemaBinder binder =
        binder(new MemoryStorage(), change, Place.TABLE, Routing.toOne(table("r", rules)));
    Bindings first = binder.extend(Bindings.NONE, ONE);
    return catchThrowableOfType(SchemaConflictException.class, () -> binder.extend(first, TWO));
  }

  private static Table table(String name, SchemaRules rules) {
    return new Table(
        new TableName("default", name),
        TableLayout.of(new StoragePath("/topics"), name),
        PartitionSpec.NONE,
        new TableOptions(
            Optional.empty(), true, true, false, true, TableOptions.DEFAULT_MAPPING, rules));
  }

  private static SchemaBinder binder(
      MemoryStorage storage, SchemaChange change, Place place, Routing routing) {
    return new SchemaBinder(
        new Registry(List.of(change.first(place), change.then(place))),
        FramingReader::new,
        routing,
        layout -> new TableSchemas(storage, layout),
        true,
        100,
        SchemaLimits.DEFAULT,
        Optional.empty(),
        Optional.empty());
  }

  /** Binds the first schema, the second and again the first, and describes what has changed. */
  private static String result(SchemaChange change, Place place, SchemaCompatibility permitted)
      throws Exception {
    MemoryStorage storage = new MemoryStorage();
    Table table = table("r", new SchemaRules(permitted, false));
    SchemaBinder binder = binder(storage, change, place, Routing.toOne(table));
    Bindings first = binder.extend(Bindings.NONE, ONE);
    Schema before = first.require(ONE).tableSchema().schema();
    Bindings both;
    try {
      both = binder.extend(first, TWO);
    } catch (SchemaConflictException e) {
      assertThat(e.ofSchema()).isTrue();
      assertThat(new TableSchemas(storage, LAYOUT).newestVersion()).isEqualTo(1);
      return "conflict";
    }
    Schema after = both.require(TWO).tableSchema().schema();
    assertThat(both.require(ONE).tableSchema()).isEqualTo(both.require(TWO).tableSchema());
    Schema again = binder.extend(both, ONE).require(ONE).tableSchema().schema();
    assertThat(again).as("after the first schema again").isEqualTo(after);
    return described(place.record(before), place.record(after), place.record(change.then(place)))
        + (both.require(TWO).plan().copies() ? "; copied" : "; rewritten");
  }

  private static String described(Schema before, Schema after, Schema writer) {
    assertThat(after.getFields().stream().map(Schema.Field::name))
        .as("the order of the columns")
        .startsWith(before.getFields().stream().map(Schema.Field::name).toArray(String[]::new));
    List<String> changes = new ArrayList<>();
    for (Schema.Field field : after.getFields()) {
      Schema.Field was = before.getField(field.name());
      if (was == null) {
        changes.add(
            "column, "
                + (field.hasDefaultValue() && !isNull(field) ? "default" : "null")
                + " before");
      } else if (!was.schema().equals(field.schema())) {
        changes.add(changed(was, field));
      }
    }
    writer.getFields().stream()
        .filter(field -> after.getField(field.name()) == null)
        .forEach(field -> changes.add("left out"));
    return changes.isEmpty() ? "same columns" : String.join("; ", changes);
  }

  private static boolean isNull(Schema.Field field) {
    return field.defaultVal() == JsonProperties.NULL_VALUE;
  }

  private static String changed(Schema.Field was, Schema.Field now) {
    String type = hiveType(was);
    if (!type.equals(hiveType(now))) {
      return "`%s`".formatted(hiveType(now));
    }
    if (now.schema().isNullable() && !was.schema().isNullable()) {
      return "nullable";
    }
    return now.schema().getType() == Schema.Type.ENUM ? "united" : "nullable items";
  }

  private static String hiveType(Schema.Field field) {
    Schema record =
        Schema.createRecord(
            "T", null, null, false, List.of(new Schema.Field(field, field.schema())));
    try {
      return HiveSchema.of(record, List.of()).columns().get(0).type();
    } catch (SchemaConflictException e) {
      throw new IllegalStateException(e);
    }
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
