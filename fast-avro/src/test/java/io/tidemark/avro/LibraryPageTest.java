package io.tidemark.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.binary.SliceDecoder;
import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.avro.file.BlockCodec;
import io.tidemark.avro.file.ParallelFileWriter;
import io.tidemark.avro.file.read.FastDataFileReader;
import io.tidemark.avro.mapping.SchemaMapping;
import io.tidemark.avro.object.FastDatumReader;
import io.tidemark.avro.object.FastDatumWriter;
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.PlanInterpreter;
import io.tidemark.avro.plan.Planner;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatum;
import io.tidemark.avro.plan.TableDatums;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.FileReader;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of docs/FAST-AVRO.md, line by line as it is there. */
final class LibraryPageTest {
  private static final Path PAGE = Path.of("..", "docs", "FAST-AVRO.md");
  private static final Path THIS =
      Path.of("src/test/java", LibraryPageTest.class.getName().replace('.', '/') + ".java");

  @TempDir Path directory;

  @Test
  void fileIsWritten() throws Exception {
    Path path = directory.resolve("numbers.avro");
    Schema schema = Schema.create(Schema.Type.LONG);
    List<byte[]> datums = List.of(AvroLibrary.encode(schema, 1L), AvroLibrary.encode(schema, 2L));

    try (var writer =
        ParallelFileWriter.builder(schema).codec(BlockCodec.of("zstandard")).create(path)) {
      for (byte[] datum : datums) {
        writer.append(datum, 0, datum.length);
      }
      writer.finish();
    }

    assertThat(read(path)).containsExactly(1L, 2L);

    byte[] datum = AvroLibrary.encode(schema, 3L);
    try (var more = ParallelFileWriter.builder(schema).appendTo(path)) {
      more.append(datum, 0, datum.length);
      more.finish();
    }

    assertThat(read(path)).containsExactly(1L, 2L, 3L);
  }

  @Test
  void fileIsReadAsObjectsAsSlicesAndByRanges() throws Exception {
    Path file = directory.resolve("quotes.avro");
    Schema schema = SchemaBuilder.record("Quote").fields().requiredInt("size").endRecord();
    try (var writer = ParallelFileWriter.builder(schema).blockSizeBytes(10).create(file)) {
      for (int i = 0; i < 100; i++) {
        var quote = new GenericRecordBuilder(schema).set("size", i).build();
        writer.append(quote, new FastDatumWriter<>(schema));
      }
      writer.finish();
    }
    var sizes = new ArrayList<Object>();
    var encoded = new ByteArrayOutputStream();
    int records = 0;

    try (FileReader<GenericRecord> quotes =
        FastDataFileReader.open(file).objects(new FastDatumReader<>())) {
      for (GenericRecord quote : quotes) {
        sizes.add(quote.get("size"));
      }
    }
    try (var slices = FastDataFileReader.open(file)) {
      while (slices.next()) {
        encoded.write(slices.bytes(), slices.offset(), slices.length());
      }
    }
    for (long begin = 0; begin < Files.size(file); begin += 37) {
      long end = begin + 37;
      try (var split = FastDataFileReader.open(file)) {
        split.sync(begin);
        while (!split.pastSync(end) && split.next()) {
          records++;
        }
      }
    }

    assertThat(sizes).hasSize(100).startsWith(0, 1, 2).endsWith(99);
    assertThat(encoded.size()).isEqualTo(64 + 2 * 36);
    assertThat(records).isEqualTo(100);
  }

  @Test
  void datumIsChecked() throws Exception {
    Schema schema = Schema.create(Schema.Type.STRING);
    byte[] datum = AvroLibrary.encode(schema, "good");

    var check = new PlanInterpreter(Planner.plan(schema, schema, List.of()));
    var result = new TableDatum();
    check.run(datum, 0, datum.length, result);

    assertThatThrownBy(() -> check.run(datum, 0, datum.length - 1, result))
        .isInstanceOf(MalformedDatumException.class);
  }

  @Test
  void capturedFieldIsRead() throws Exception {
    Schema schema =
        SchemaBuilder.record("Quote")
            .fields()
            .requiredInt("size")
            .optionalString("venue")
            .endRecord();
    byte[] datum =
        AvroLibrary.encode(
            schema, new GenericRecordBuilder(schema).set("size", 7).set("venue", "XETR").build());
    var result = new TableDatum();
    var venues = new ArrayList<String>();

    var venueOnly = new PlanInterpreter(Planner.plan(schema, schema, List.of("venue")));
    venueOnly.run(datum, 0, datum.length, result);
    if (result.hasField(0)) {
      var field = new SliceDecoder(result.bytes(), result.fieldOffset(0), result.fieldLength(0));
      venues.add(field.readString());
    }

    assertThat(venues).containsExactly("XETR");
  }

  @Test
  void datumIsRewritten() throws Exception {
    Path path = directory.resolve("rewritten.avro");
    Schema writerSchema = SchemaBuilder.record("Quote").fields().requiredInt("size").endRecord();
    Schema readerSchema =
        SchemaBuilder.record("Quote")
            .fields()
            .requiredDouble("size")
            .optionalString("venue")
            .endRecord();
    byte[] datum =
        AvroLibrary.encode(
            writerSchema, new GenericRecordBuilder(writerSchema).set("size", 7).build());
    var result = new TableDatum();

    try (var writer = ParallelFileWriter.builder(readerSchema).create(path)) {
      var rewrite = new PlanInterpreter(Planner.plan(writerSchema, readerSchema, List.of()));
      rewrite.run(datum, 0, datum.length, result);
      writer.append(result.bytes(), result.offset(), result.length());
      writer.finish();
    }

    assertThat(read(path))
        .singleElement()
        .satisfies(record -> assertThat(((GenericRecord) record).get("size")).isEqualTo(7.0));
  }

  @Test
  void batchIsConvertedUpToItsEndDespiteARejectedDatum() throws Exception {
    Path path = directory.resolve("batch.avro");
    Schema schema = Schema.create(Schema.Type.STRING);
    var plan = Planner.plan(schema, schema, List.of());
    byte[] good = AvroLibrary.encode(schema, "good");
    List<byte[]> datums = List.of(good, Arrays.copyOf(good, good.length - 1), good);
    var problems = new TreeMap<Integer, MalformedDatumException>();

    try (var writer = ParallelFileWriter.builder(schema).create(path)) {
      BatchRunner runner = CompiledPlans.shared().runner(plan);
      var source = new SourceDatums();
      var results = new TableDatums(1 << 16); // expected bytes; it grows
      for (byte[] datum : datums) {
        source.add(datum, 0, datum.length);
      }

      int next = 0;
      while (next < source.size()) {
        MalformedDatumException problem = null;
        try {
          runner.run(source, next, source.size(), results);
        } catch (MalformedDatumException e) {
          problem = e;
        }
        for (int i = 0; i < results.runSize(); i++) {
          writer.append(results.bytes(), results.offset(i), results.end(i) - results.offset(i));
        }
        next += results.runSize();
        if (problem != null) {
          problems.put(next, problem); // next is the index of the rejected datum
          next++;
        }
        results.clear();
      }
      source.clear(); // for the next batch
      writer.finish();
    }

    assertThat(problems).containsOnlyKeys(1);
    assertThat(read(path)).extracting(Object::toString).containsExactly("good", "good");
  }

  @Test
  void objectsAreReadAndWritten() throws Exception {
    Schema writerSchema = SchemaBuilder.record("Quote").fields().requiredInt("size").endRecord();
    Schema readerSchema = SchemaBuilder.record("Quote").fields().requiredLong("size").endRecord();
    byte[] datum =
        AvroLibrary.encode(
            writerSchema, new GenericRecordBuilder(writerSchema).set("size", 7).build());
    var decoder = DecoderFactory.get().binaryDecoder(datum, null);
    var out = new ByteArrayOutputStream();
    var encoder = EncoderFactory.get().directBinaryEncoder(out, null);

    DatumReader<GenericRecord> reader = new FastDatumReader<>(writerSchema, readerSchema);
    DatumWriter<GenericRecord> writer = new FastDatumWriter<>(readerSchema);
    GenericRecord quote = reader.read(null, decoder);
    writer.write(quote, encoder);

    assertThat(quote.get("size")).isEqualTo(7L);
    assertThat(out.toByteArray()).isEqualTo(datum);
  }

  @Test
  void schemaIsMapped() {
    Schema writerSchema =
        SchemaBuilder.record("Quote")
            .fields()
            .name("side")
            .type(SchemaBuilder.enumeration("Side").symbols("BUY", "SELL"))
            .noDefault()
            .requiredString("note")
            .endRecord();

    var mapping = SchemaMapping.builder().type("enum", "string").exclude("note").build();
    Schema mapped = mapping.schema(writerSchema);
    Plan mappingPlan = mapping.plan(writerSchema, mapped, List.of());

    assertThat(mapped)
        .isEqualTo(SchemaBuilder.record("Quote").fields().requiredString("side").endRecord());
    assertThat(mappingPlan.toString()).contains("text of enum", "drop bytes");
  }

  @Test
  void linesOfThePageAreThoseOfThisTest() throws IOException {
    String test = Files.readString(THIS).replaceAll("\\s", "");
    String block = "";
    boolean fenced = false;
    for (String line : Files.readAllLines(PAGE)) {
      boolean fence = line.startsWith("```");
      if (!fence && (fenced || line.startsWith("    "))) {
        block += line.replaceAll("\\s", "");
      } else {
        assertThat(test).contains(block);
        block = "";
      }
      fenced = fence ? line.equals("```java") : fenced;
    }
  }

  @Test
  void coordinatesOfThePageAreThoseOfThePoms() throws IOException {
    String page = Files.readString(PAGE);
    for (String module : List.of("fast-avro", "registry-client")) {
      String pom = Files.readString(Path.of("..", module, "pom.xml"));

      assertThat(page).contains("`" + element(pom, "Automatic-Module-Name") + "`");
    }
    String pom = Files.readString(Path.of("pom.xml"));
    assertThat(element(page, "groupId")).isEqualTo(element(pom, "groupId"));
    assertThat(element(page, "artifactId")).isEqualTo("fast-avro");
    assertThat(element(page, "version")).isEqualTo(element(pom, "version"));
  }

  /** The text of the first element of a name. */
  private static String element(String xml, String name) {
    return xml.substring(
        xml.indexOf("<" + name + ">") + name.length() + 2, xml.indexOf("</" + name + ">"));
  }

  private static List<Object> read(Path path) throws IOException {
    var records = new ArrayList<Object>();
    try (var reader = new DataFileReader<>(path.toFile(), new GenericDatumReader<>())) {
      reader.forEach(records::add);
    }
    return records;
  }
}
