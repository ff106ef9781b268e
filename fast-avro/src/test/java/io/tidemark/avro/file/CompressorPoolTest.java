package io.tidemark.avro.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.plan.TableDatums;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

final class CompressorPoolTest {
  private static final byte[] RAW = new byte[1000];
  private static final ContainerFileHeader HEADER =
      new ContainerFileHeader(
          Schema.create(Schema.Type.BYTES),
          BlockCodec.of("null"),
          Map.of(),
          ContainerFileHeader.newSync());

  @Test
  void closedPoolStillCompresses() {
    var pool = new CompressorPool(BlockCodec.of("zstandard"));
    byte[] before = compressed(pool);
    pool.close();

    assertThat(compressed(pool)).isEqualTo(before);
    pool.close();
  }

  @Test
  void compressorThatHasThrownIsNotLentAgain() {
    try (var pool = new CompressorPool(BlockCodec.of("deflate"))) {
      byte[] before = compressed(pool);

      assertThatThrownBy(() -> pool.compress(1, RAW, 900, 101))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(compressed(pool)).isEqualTo(before);
    }
  }

  @Test
  void bufferThatIsGivenBackIsLentAgainEmpty() {
    try (var pool = new CompressorPool(BlockCodec.of("null"))) {
      TableDatums buffer = pool.borrowDatums();
      assertThat(pool.borrowDatums()).isNotSameAs(buffer);
      buffer.reserve(100);
      buffer.add(100);

      pool.giveBack(buffer);

      assertThat(pool.borrowDatums()).isSameAs(buffer);
      assertThat(buffer.size()).isZero();
    }
  }

  @Test
  void bufferThatHasGrownLargeIsNotKept() {
    try (var pool = new CompressorPool(BlockCodec.of("null"))) {
      TableDatums buffer = pool.borrowDatums();
      buffer.reserve(2 << 20);

      pool.giveBack(buffer);

      assertThat(pool.borrowDatums()).isNotSameAs(buffer);
    }
  }

  @Test
  void closedPoolKeepsNoBuffer() {
    var pool = new CompressorPool(BlockCodec.of("null"));
    TableDatums buffer = pool.borrowDatums();
    pool.close();

    pool.giveBack(buffer);

    assertThat(pool.borrowDatums()).isNotSameAs(buffer);
  }

  @Test
  void poolsOfSeveralCodecsShareTheirBuffers() {
    try (var pool = new CompressorPool(BlockCodec.of("null"), () -> 1 << 20);
        CompressorPool other = pool.with(BlockCodec.of("deflate"))) {
      TableDatums buffer = pool.borrowDatums();

      other.giveBack(buffer);

      assertThat(pool.borrowDatums()).isSameAs(buffer);
      assertThat(other.codec().name()).isEqualTo("deflate");
    }
  }

  private static byte[] compressed(CompressorPool pool) {
    var file = new ByteArrayOutputStream();
    try {
      pool.compress(1, RAW, 0, RAW.length).writeTo(file, HEADER);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file.toByteArray();
  }
}
