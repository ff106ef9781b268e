package io.tidemark.avro.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.plan.TableDatums;
import org.junit.jupiter.api.Test;

final class CompressorPoolTest {
  private static final byte[] RAW = new byte[1000];

  @Test
  void closedPoolStillCompresses() {
    var pool = new CompressorPool(BlockCodec.of("zstandard"));
    byte[] before = pool.compress(RAW, 0, RAW.length);
    pool.close();

    assertThat(pool.compress(RAW, 0, RAW.length)).isEqualTo(before);
    pool.close();
  }

  @Test
  void compressorThatHasThrownIsNotLentAgain() {
    try (var pool = new CompressorPool(BlockCodec.of("deflate"))) {
      byte[] before = pool.compress(RAW, 0, RAW.length);

      assertThatThrownBy(() -> pool.compress(RAW, 900, 101))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(pool.compress(RAW, 0, RAW.length)).isEqualTo(before);
    }
  }

  @Test
  void bufferThatIsGivenBackIsLentAgainEmpty() {
    try (var pool = new CompressorPool(BlockCodec.of("null"))) {
      TableDatums buffer = pool.borrowBuffer();
      assertThat(pool.borrowBuffer()).isNotSameAs(buffer);
      buffer.reserve(100);
      buffer.add(100);

      pool.giveBack(buffer);

      assertThat(pool.borrowBuffer()).isSameAs(buffer);
      assertThat(buffer.size()).isZero();
    }
  }

  @Test
  void bufferThatHasGrownLargeIsNotKept() {
    try (var pool = new CompressorPool(BlockCodec.of("null"))) {
      TableDatums buffer = pool.borrowBuffer();
      buffer.reserve(2 << 20);

      pool.giveBack(buffer);

      assertThat(pool.borrowBuffer()).isNotSameAs(buffer);
    }
  }

  @Test
  void closedPoolKeepsNoBuffer() {
    var pool = new CompressorPool(BlockCodec.of("null"));
    TableDatums buffer = pool.borrowBuffer();
    pool.close();

    pool.giveBack(buffer);

    assertThat(pool.borrowBuffer()).isNotSameAs(buffer);
  }
}
