package io.tidemark.avro.file;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.tidemark.avro.AvroLibrary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.SeekableByteArrayInput;
import org.apache.avro.generic.GenericDatumReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BlockCodecTest {
  private static final Schema BYTES = Schema.create(Schema.Type.BYTES);
  private static final byte[] TEXT =
      "one block, and one block more, and one more block ".repeat(2_000).getBytes(US_ASCII);

  static Stream<BlockCodec> codecsWithTheirExtremeLevels() {
    return Stream.of(
        new BlockCodec.Uncompressed(),
        new BlockCodec.Deflate(-1),
        new BlockCodec.Deflate(0),
        new BlockCodec.Deflate(9),
        new BlockCodec.Snappy(),
        new BlockCodec.Zstandard(BlockCodec.Zstandard.MIN_LEVEL, false),
        new BlockCodec.Zstandard(0, true),
        new BlockCodec.Zstandard(3, false),
        new BlockCodec.Zstandard(22, true),
        new BlockCodec.Bzip2(1),
        new BlockCodec.Bzip2(9),
        new BlockCodec.Xz(0),
        new BlockCodec.Xz(9));
  }

  /** Avro's library makes its codecs accessible only through a file. */
  @ParameterizedTest
  @MethodSource("codecsWithTheirExtremeLevels")
  void avroReadsEveryBlockOfAReusedCompressor(BlockCodec codec) throws IOException {
    var random = new Random(1);
    var header = new ContainerFileHeader(BYTES, codec, Map.of(), ContainerFileHeader.newSync());
    var file = new ByteArrayOutputStream();
    file.write(header.encoded());
    var written = new ArrayList<ByteBuffer>();
    var buffers = new BufferPool(() -> 1 << 20);
    try (BlockCompressor compressor = codec.newCompressor()) {
      for (int length : new int[] {0, 1, 100, 5_000, 99_000, 1_000_000, 300}) {
        var noise = new byte[length];
        random.nextBytes(noise);
        for (byte[] value : List.of(noise, new byte[length], TEXT)) {
          var datum = new ByteArrayOutputStream();
          datum.writeBytes(new byte[7]);
          datum.writeBytes(AvroLibrary.encode(BYTES, ByteBuffer.wrap(value)));
          byte[] raw = datum.toByteArray();
          ByteBuffer compressed = compressor.compress(raw, 7, raw.length - 7);
          int bytes = compressed.remaining();
          byte[] kept = buffers.borrow(bytes);
          compressed.get(kept, 0, bytes);
          var block = new Block(1, raw.length - 7, kept, bytes, buffers);
          block.writeTo(file, header);
          block.release();
          written.add(ByteBuffer.wrap(value));
        }
      }
    }

    var read = new ArrayList<ByteBuffer>();
    try (var reader =
        new DataFileReader<>(
            new SeekableByteArrayInput(file.toByteArray()), new GenericDatumReader<ByteBuffer>())) {
      reader.forEach(read::add);
    }
    assertThat(read).isEqualTo(written);
  }

  @ParameterizedTest
  @CsvSource({"deflate, 1, 9", "zstandard, -50, 19", "bzip2, 1, 9", "xz, 0, 9"})
  void higherLevelMakesSmallerBlocks(String name, int quick, int small) {
    var random = new Random(2);
    var words = new byte[400_000];
    for (int i = 0; i < words.length; ) {
      byte[] word = Integer.toString(random.nextInt(3_000)).getBytes(US_ASCII);
      for (int j = 0; j < word.length && i < words.length; j++) {
        words[i++] = word[j];
      }
    }

    assertThat(compressed(BlockCodec.of(name, small), words))
        .isLessThan(compressed(BlockCodec.of(name, quick), words));
  }

  @Test
  void zstandardChecksumTakesFourBytesOfAFrame() {
    assertThat(compressed(new BlockCodec.Zstandard(3, true), TEXT))
        .isEqualTo(compressed(new BlockCodec.Zstandard(3, false), TEXT) + 4);
  }

  @Test
  void zstandardHasTheLevelsOfItsLibrary() {
    assertThat(BlockCodec.Zstandard.MIN_LEVEL).isEqualTo(Zstd.minCompressionLevel());
    assertThat(BlockCodec.Zstandard.DEFAULT_LEVEL).isEqualTo(Zstd.defaultCompressionLevel());
    assertThat(BlockCodec.Zstandard.MAX_LEVEL).isEqualTo(Zstd.maxCompressionLevel());
  }

  @ParameterizedTest
  @CsvSource({
    "deflate, -2, -1 to 9",
    "deflate, 10, -1 to 9",
    "zstandard, 23, -131072 to 22",
    "bzip2, 0, 1 to 9",
    "bzip2, 10, 1 to 9",
    "xz, -1, 0 to 9",
    "xz, 10, 0 to 9"
  })
  void levelOutOfRangeIsRefusedWithTheRange(String name, int level, String range) {
    assertThatThrownBy(() -> BlockCodec.of(name, level))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("%s has the levels %s, not %d", name, range, level);
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "snappy"})
  void levelOfACodecWithoutLevelsIsRefused(String name) {
    assertThatThrownBy(() -> BlockCodec.of(name, 1))
        .hasMessage("%s has no levels: give no level, or choose another codec", name);
  }

  @Test
  void unknownCodecIsRefusedWithThoseThereAre() {
    assertThatThrownBy(() -> BlockCodec.of("lzo"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "unknown codec \"lzo\": it must be one of"
                + " null, deflate, snappy, zstandard, bzip2, xz");
    assertThatThrownBy(() -> BlockCodec.of("lzo", 1)).hasMessageStartingWith("unknown codec");
  }

  @Test
  void everyNameIsThatOfItsCodec() {
    assertThat(BlockCodec.NAMES).allMatch(name -> BlockCodec.of(name).name().equals(name));
  }

  private static int compressed(BlockCodec codec, byte[] raw) {
    try (BlockCompressor compressor = codec.newCompressor()) {
      return compressor.compress(raw, 0, raw.length).remaining();
    }
  }
}
