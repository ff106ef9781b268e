package io.tidemark.avro.binary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class BinaryCursorTest {

  @Test
  void positionOutsideOfTheDatumIsRefused() {
    var cursor = new BinaryCursor().reset(new byte[10], 2, 4);

    cursor.position(6);
    assertThat(cursor.remaining()).isZero();
    assertThatThrownBy(() -> cursor.position(7)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> cursor.position(1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void faultIsCountedFromTheDatumsFirstByte() {
    var cursor = new BinaryCursor().reset(new byte[] {9, 9, 0, 0x09, 9}, 2, 2);
    cursor.position(3);

    assertThatThrownBy(cursor::readLength).hasMessage("byte 1: length -5 is negative");
    assertThat(cursor.position()).isEqualTo(3);
  }

  @Test
  void skippingBackwardsIsTheCallersFault() {
    var cursor = new BinaryCursor().reset(new byte[4], 0, 4);

    assertThatThrownBy(() -> cursor.skip(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
