package io.tidemark.avro.file;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.AvroLibrary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.SeekableByteArrayInput;
import org.apache.avro.generic.GenericDatumReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BlockCodecTest {

  @ParameterizedTest
  @ValueSource(strings = {"null", "deflate", "snappy"})
  void avroDecompressesWhatItCompressed(String name) throws IOException {
    var random = new Random(1);
    for (int length : new int[] {0, 1, 100, 5_000, 70_000, 1_000_000, 300}) {
      var noise = new byte[length];
      random.nextBytes(noise);
      assertRoundTrip(name, noise);
      assertRoundTrip(name, new byte[length]);
    }
  }

  @Test
  void deflateHasLevels() {
    byte[] text =
        "one block, and one block more, and one more block ".repeat(500).getBytes(US_ASCII);
    int stored = new BlockCodec.Deflate(0).newCompressor().compress(text, 0, text.length).length;
    int smallest = new BlockCodec.Deflate(9).newCompressor().compress(text, 0, text.length).length;

    assertThat(stored).isGreaterThan(text.length);
    assertThat(smallest).isLessThan(text.length / 10);
    assertThatThrownBy(() -> new BlockCodec.Deflate(10))
        .hasMessage("deflate has the levels -1 to 9, not 10");
  }

  @Test
  void unknownCodecIsRefusedWithThoseThereAre() {
    assertThatThrownBy(() -> BlockCodec.of("lzo"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("unknown codec \"lzo\": it must be null, deflate or snappy");
  }

  /** Avro's library lends out its codecs only through a file. */
  private static void assertRoundTrip(String name, byte[] bytes) throws IOException {
    Schema schema = Schema.create(Schema.Type.BYTES);
    byte[] datum = AvroLibrary.encode(schema, ByteBuffer.wrap(bytes));
    var header =
        new ContainerFileHeader(
            schema, BlockCodec.of(name), Map.of(), ContainerFileHeader.newSync());
    var file = new ByteArrayOutputStream();
    try (var writer = new ParallelFileWriter(file, header, 64_000, Runnable::run, 1)) {
      writer.append(datum, 0, datum.length);
      writer.append(datum, 0, datum.length);
    }
    var datumReader = new GenericDatumReader<ByteBuffer>();
    try (var reader =
        new DataFileReader<>(new SeekableByteArrayInput(file.toByteArray()), datumReader)) {
      assertThat(reader.next()).isEqualTo(ByteBuffer.wrap(bytes));
      assertThat(reader.next()).isEqualTo(ByteBuffer.wrap(bytes));
      assertThat(reader.hasNext()).isFalse();
    }
  }
}
