package io.tidemark.avro.binary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

final class BinaryCursorPropertyTest {

  @Property
  void numbersAreReadAsAvroWroteThem(@ForAll int number, @ForAll long big, @ForAll byte[] bytes)
      throws IOException, MalformedDatumException {
    var out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    encoder.writeInt(number);
    encoder.writeLong(big);
    encoder.writeBytes(bytes);
    encoder.writeLong(big);
    encoder.writeInt(number);
    byte[] datum = out.toByteArray();

    var cursor = new BinaryCursor().reset(datum, 0, datum.length);

    assertThat(cursor.readInt()).isEqualTo(number);
    assertThat(cursor.readLong()).isEqualTo(big);
    assertThat(cursor.readLength()).isEqualTo(bytes.length);
    cursor.skip(bytes.length);
    cursor.skipLong();
    assertThat(cursor.readInt()).isEqualTo(number);
    assertThat(cursor.remaining()).isZero();
  }

  @Property
  void cutNumberLeavesTheCursorBeforeIt(@ForAll long number) throws IOException {
    var out = new ByteArrayOutputStream();
    EncoderFactory.get().directBinaryEncoder(out, null).writeLong(number);
    byte[] datum = out.toByteArray();

    var cursor = new BinaryCursor().reset(datum, 0, datum.length - 1);

    assertThatThrownBy(cursor::readLong)
        .hasMessage("byte 0: long is cut off by the end of the datum");
    assertThat(cursor.position()).isZero();
  }
}
