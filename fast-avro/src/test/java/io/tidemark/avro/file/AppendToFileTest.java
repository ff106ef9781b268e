package io.tidemark.avro.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.file.read.CorruptFileException;
import io.tidemark.avro.file.read.FastDataFileReader;
import io.tidemark.avro.object.FastDatumWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.avro.AvroTypeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares appending to files with Avro's {@code DataFileWriter.appendTo}. */
final class AppendToFileTest {
  private static final Schema LONG = Schema.create(Schema.Type.LONG);

  @TempDir Path directory;

  private Path file(String codec, long to) throws IOException {
    Path path = directory.resolve(codec + ".avro");
    try (var writer = new DataFileWriter<Long>(new GenericDatumWriter<>(LONG))) {
      writer
          .setCodec(CodecFactory.fromString(codec))
          .setMeta("origin", "here")
          .create(LONG, path.toFile());
      for (long i = 0; i < to; i++) {
        writer.append(i);
      }
    }
    return path;
  }

  private static void append(ParallelFileWriter writer, long from, long to) throws IOException {
    for (long i = from; i < to; i++) {
      byte[] datum = AvroLibrary.encode(LONG, i);
      writer.append(datum, 0, datum.length);
    }
  }

  private static List<Object> read(Path path) throws IOException {
    var records = new ArrayList<Object>();
    try (var reader = new DataFileReader<>(path.toFile(), new GenericDatumReader<>())) {
      reader.forEach(records::add);
    }
    return records;
  }

  private static List<Long> numbers(long to) {
    return LongStream.range(0, to).boxed().toList();
  }

  @Test
  void fileOfEachCodecHoldsWhatItHeldAndWhatWasAppendedAsByAvro() throws Exception {
    for (String codec : BlockCodec.NAMES) {
      Path path = file(codec, 500);
      Path avros = directory.resolve("avros-" + codec + ".avro");
      Files.copy(path, avros);
      byte[] before = Files.readAllBytes(path);

      for (long from = 500; from < 700; from += 100) {
        try (var writer =
            ParallelFileWriter.builder(LONG)
                .blockSizeBytes(50)
                .serialBelowBytes(0)
                .appendTo(path)) {
          append(writer, from, from + 100);
          assertThat(writer.records()).isEqualTo(100);
          writer.finish();
        }
        try (var writer =
            new DataFileWriter<Long>(new GenericDatumWriter<>()).appendTo(avros.toFile())) {
          for (long i = from; i < from + 100; i++) {
            writer.append(i);
          }
        }
      }

      assertThat(read(path)).as(codec).isEqualTo(numbers(700)).isEqualTo(read(avros));
      assertThat(Files.readAllBytes(path)).startsWith(before);
      try (var reader = FastDataFileReader.open(path)) {
        assertThat(reader.codec()).isEqualTo(codec);
        assertThat(reader.metadata("origin")).hasValue(new byte[] {'h', 'e', 'r', 'e'});
      }
    }
  }

  @Test
  void avroAppendsToWhatWasAppended() throws Exception {
    Path path = file("deflate", 3);
    try (var writer = ParallelFileWriter.builder(LONG).appendTo(path)) {
      append(writer, 3, 6);
      writer.finish();
    }
    try (var writer =
        new DataFileWriter<Long>(new GenericDatumWriter<>()).appendTo(path.toFile())) {
      writer.append(6L);
    }

    assertThat(read(path)).isEqualTo(numbers(7));
  }

  @Test
  void fileThatIsGivenUpIsAsItWas() throws Exception {
    Path path = file("null", 100);
    byte[] before = Files.readAllBytes(path);

    try (var writer = ParallelFileWriter.builder(LONG).blockSizeBytes(10).appendTo(path)) {
      append(writer, 100, 900);
      writer.fsync();
      assertThat(Files.size(path)).isGreaterThan(before.length);
    }

    assertThat(Files.readAllBytes(path)).isEqualTo(before);
  }

  @Test
  void whatDiffersFromTheFileIsRefusedAndTheFileIsAsItWas() throws Exception {
    Path path = file("snappy", 100);
    byte[] before = Files.readAllBytes(path);
    Schema other = Schema.create(Schema.Type.STRING);

    assertThatThrownBy(() -> ParallelFileWriter.builder(other).appendTo(path))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            path
                + ": the file has another schema, \"long\". Give the file's schema, or write"
                + " another file.");
    assertThatThrownBy(
            () -> ParallelFileWriter.builder(LONG).codec(BlockCodec.of("xz")).appendTo(path))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            path
                + ": the file's codec is snappy, not xz. Give that codec or none, or write"
                + " another file.");
    assertThatThrownBy(() -> ParallelFileWriter.builder(LONG).metadata("a", "b").appendTo(path))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("cannot be changed. Set neither.");
    assertThatThrownBy(
            () -> ParallelFileWriter.builder(LONG).syncMarker(new byte[16]).appendTo(path))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ParallelFileWriter.builder(LONG).appendTo(directory.resolve("none")))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(Files.readAllBytes(path)).isEqualTo(before);
  }

  @Test
  void levelOfTheCodecMayBeAnother() throws Exception {
    Path path = file("deflate", 100);

    try (var writer =
        ParallelFileWriter.builder(LONG).codec(BlockCodec.of("deflate", 9)).appendTo(path)) {
      append(writer, 100, 200);
      writer.finish();
    }

    assertThat(read(path)).isEqualTo(numbers(200));
  }

  @Test
  void fileThatIsCutOffIsRefused() throws Exception {
    Path path = file("null", 100);
    byte[] whole = Files.readAllBytes(path);
    byte[] cut = Arrays.copyOf(whole, whole.length - 1);
    Files.write(path, cut);

    assertThatThrownBy(() -> ParallelFileWriter.builder(LONG).appendTo(path))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith(
            path + "@" + cut.length + ": the file does not end with its sync marker. ");
    assertThat(Files.readAllBytes(path)).isEqualTo(cut);
  }

  @Test
  void oneWriterAppendsAtATime() throws Exception {
    Path path = file("null", 1);

    try (var first = ParallelFileWriter.builder(LONG).appendTo(path)) {
      assertThatThrownBy(() -> ParallelFileWriter.builder(LONG).appendTo(path))
          .isInstanceOf(IOException.class)
          .hasMessage(
              path + ": another writer appends to the file. Wait until that writer has closed it.");
      append(first, 1, 2);
      first.finish();
    }
    try (var second = ParallelFileWriter.builder(LONG).appendTo(path)) {
      append(second, 2, 3);
      second.finish();
    }

    assertThat(read(path)).isEqualTo(numbers(3));
  }

  @Test
  void objectsAreEncodedInABufferOfAnySize() throws Exception {
    Schema schema = SchemaBuilder.record("Quote").fields().requiredString("symbol").endRecord();
    var quotes = new ArrayList<GenericRecord>();
    for (int i = 0; i < 200; i++) {
      quotes.add(new GenericRecordBuilder(schema).set("symbol", "S".repeat(i)).build());
    }
    for (int bytes : new int[] {32, 100, 2048, 1 << 24}) {
      Path path = directory.resolve("quotes" + bytes + ".avro");
      try (var writer = ParallelFileWriter.builder(schema).encoderBufferBytes(bytes).create(path)) {
        for (GenericRecord quote : quotes) {
          writer.append(quote, new FastDatumWriter<>(schema));
        }
        writer.finish();
      }
      assertThat(read(path)).asString().isEqualTo(quotes.toString());
    }
    assertThatThrownBy(() -> ParallelFileWriter.builder(schema).encoderBufferBytes(31))
        .hasMessage("encoderBufferBytes must be from 32 to 16777216, not 31");
  }

  @Test
  void objectThatCannotBeEncodedLeavesNothingOfItself() throws Exception {
    Schema schema =
        SchemaBuilder.record("Quote")
            .fields()
            .requiredString("symbol")
            .requiredLong("size")
            .endRecord();
    var good = new GenericRecordBuilder(schema).set("symbol", "A").set("size", 1L).build();
    var bad = new GenericData.Record(good, true);
    bad.put("size", "many");
    var datums = new FastDatumWriter<GenericRecord>(schema);
    var out = new ByteArrayOutputStream();

    try (var writer = ParallelFileWriter.builder(schema).writeTo(out)) {
      writer.append(good, datums);
      assertThatThrownBy(() -> writer.append(bad, datums))
          .isInstanceOfAny(ClassCastException.class, AvroTypeException.class);
      writer.append(good, datums);
      writer.finish();
    }
    Path path = directory.resolve("quotes.avro");
    Files.write(path, out.toByteArray());

    assertThat(read(path)).asString().isEqualTo(List.of(good, good).toString());
  }
}
