package io.tidemark.avro.file.read;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.object.FastDatumReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.InvalidAvroMagicException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.file.FileReader;
import org.apache.avro.file.SeekableByteArrayInput;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are damaged, cut off or made to exhaust a reader, read as objects. */
@Timeout(240)
final class DamagedFileTest {
  private static final Schema SAMPLE =
      SchemaBuilder.record("Sample")
          .fields()
          .name("sizes")
          .type()
          .array()
          .items()
          .intType()
          .noDefault()
          .name("names")
          .type()
          .map()
          .values()
          .longType()
          .noDefault()
          .name("text")
          .type()
          .stringType()
          .noDefault()
          .endRecord();

  /** Each flip of one bit ends with an exception, or other values, but never with an Error. */
  @ParameterizedTest
  @ValueSource(strings = {"null", "deflate", "zstandard"})
  void flippedBitIsNeverAnError(String codec) throws IOException {
    byte[] file = samples(codec);
    for (int bit = 0; bit < 8 * file.length; bit++) {
      byte[] flipped = file.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      try {
        readAll(flipped);
      } catch (CorruptFileException | InvalidAvroMagicException e) {
        assertThat(e).message().contains("memory");
      } catch (AvroRuntimeException e) {
        assertThat(e).as("bit %d", bit).hasCauseInstanceOf(CorruptFileException.class);
      }
    }
  }

  private static byte[] samples(String codec) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var writer = new DataFileWriter<>(new GenericDatumWriter<>(SAMPLE))) {
      writer.setCodec(CodecFactory.fromString(codec));
      writer.create(SAMPLE, out, new byte[16]);
      for (int i = 0; i < 4; i++) {
        var sample = new GenericData.Record(SAMPLE);
        // Long numbers: a flip in front of one makes a count of a billion from it.
        sample.put("sizes", List.of(-500_000_000 - i, 500_000_000 + i, i));
        sample.put("names", Map.of("a" + i, (long) i, "b" + i, 1L));
        sample.put("text", "text " + i);
        writer.append(sample);
      }
    }
    return out.toByteArray();
  }

  private static void readAll(byte[] file) throws IOException {
    try (FileReader<Object> reader = open(file)) {
      while (reader.hasNext()) {
        reader.next();
      }
    }
  }

  private static FileReader<Object> open(byte[] file) throws IOException {
    return FastDataFileReader.builder()
        .parallelism(1)
        .open(new SeekableByteArrayInput(file), "memory")
        .objects(new FastDatumReader<>());
  }

  @Test
  void fileOf118BytesCannotHaveAnEndlessNumberOfRecords() throws IOException {
    Schema empty = SchemaBuilder.record("E").fields().endRecord();
    byte[] file = emptyRecords(empty, 1L << 62);
    assertThat(file.length).isLessThan(130);
    try (FileReader<Object> reader = open(file)) {
      assertThatThrownBy(reader::hasNext)
          .isInstanceOf(AvroRuntimeException.class)
          .cause()
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("4611686018427387904 records")
          .hasMessageContaining("maxEmptyRecords");
    }
    try (var slices =
        FastDataFileReader.builder().open(new SeekableByteArrayInput(file), "memory")) {
      assertThatThrownBy(slices::next).isInstanceOf(CorruptFileException.class);
    }
  }

  @Test
  void emptyRecordsAreReadUpToTheLimit() throws IOException {
    Schema empty = SchemaBuilder.record("E").fields().endRecord();
    for (long limit : new long[] {999, 1_000}) {
      try (var slices =
          FastDataFileReader.builder()
              .maxEmptyRecords(limit)
              .open(new SeekableByteArrayInput(emptyRecords(empty, 1_000)), "memory")) {
        if (limit < 1_000) {
          assertThatThrownBy(slices::next).isInstanceOf(CorruptFileException.class);
        } else {
          int records = 0;
          while (slices.next()) {
            records++;
          }
          assertThat(records).isEqualTo(1_000);
        }
      }
    }
  }

  private static byte[] emptyRecords(Schema schema, long records) throws IOException {
    var out = new ByteArrayOutputStream();
    byte[] sync = new byte[16];
    try (var writer = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
      writer.create(schema, out, sync);
    }
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    encoder.writeLong(records);
    encoder.writeLong(0);
    encoder.flush();
    out.write(sync);
    return out.toByteArray();
  }

  @Test
  void defaultLimitOfBlocksFitsASmallHeap(@TempDir Path directory) throws Exception {
    Path output = directory.resolve("output");
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                SmallHeapProgram.class.getName(),
                directory.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(program.waitFor(200, SECONDS)).isTrue();
    } finally {
      program.destroyForcibly();
    }
    String corrupt = " " + CorruptFileException.class.getName();
    assertThat(Files.readAllLines(output))
        .containsExactly(
            "deflate 2" + corrupt,
            "deflate 16" + corrupt,
            "zstandard 2" + corrupt,
            "zstandard 16" + corrupt,
            "null 2" + corrupt,
            "null 16" + corrupt);
  }

  @Test
  void fileOfAnotherFormatThrowsTheExceptionOfAvro() {
    byte[] json =
        "{\"this\": \"is not an Avro data file, but it is long enough\"}"
            .getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(
            () ->
                DataFileReader.openReader(
                    new SeekableByteArrayInput(json), new GenericDatumReader<>()))
        .isInstanceOf(InvalidAvroMagicException.class);
    assertThatThrownBy(() -> open(json))
        .isInstanceOf(InvalidAvroMagicException.class)
        .hasMessageStartingWith("memory@0: ")
        .hasMessageContaining("Name another file");
  }

  @Test
  void headerThatIsCutOffIsCorrupt() throws IOException {
    byte[] file = samples("null");
    for (int length : new int[] {5, 20, 100}) {
      assertThatThrownBy(() -> open(Arrays.copyOf(file, length)))
          .isInstanceOf(CorruptFileException.class);
    }
  }

  /** {@code Iterator} cannot throw an {@code IOException}: as Avro's reader, it wraps it. */
  @Test
  void iteratorWrapsTheExceptionOfAFileThatIsCutOff() throws IOException {
    byte[] file = samples("null");
    try (FileReader<Object> records = open(Arrays.copyOf(file, file.length - 1))) {
      assertThatThrownBy(() -> records.forEach(record -> {}))
          .isExactlyInstanceOf(AvroRuntimeException.class)
          .hasCauseInstanceOf(CorruptFileException.class);
      assertThatThrownBy(() -> records.next(null)).isInstanceOf(CorruptFileException.class);
    }
  }
}
