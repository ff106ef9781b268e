package io.tidemark.avro.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
}
