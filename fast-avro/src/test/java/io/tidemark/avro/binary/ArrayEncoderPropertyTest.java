package io.tidemark.avro.binary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.RandomAvro;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.util.HexFormat;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.avro.InvalidNumberEncodingException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.Encoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.util.Utf8;

/** The encoder into an array writes Avro's bytes; the strict decoder rejects excess bits. */
final class ArrayEncoderPropertyTest {

  @FunctionalInterface
  private interface Values {
    void write(Encoder out) throws IOException;
  }

  @Property(tries = 300)
  void randomDataHaveTheBytesOfAvrosEncoder(@ForAll long seed) throws IOException {
    var avro = RandomAvro.withStrings(seed);
    Schema schema = avro.schema();
    Object datum = avro.datum(schema);
    assertSameBytes(out -> new GenericDatumWriter<>(schema).write(datum, out));
  }

  @Property(tries = 1_000)
  void numbersHaveTheBytesOfAvrosEncoder(
      @ForAll int number, @ForAll long longNumber, @ForAll float part, @ForAll double longPart)
      throws IOException {
    assertSameBytes(
        out -> {
          out.writeInt(number);
          out.writeLong(longNumber);
          out.writeFloat(part);
          out.writeDouble(longPart);
          out.writeBoolean(number > 0);
          out.writeEnum(number & 0xff);
          out.writeIndex(number & 0xf);
          out.writeNull();
        });
  }

  @Property(tries = 300)
  void textsAndBytesHaveTheBytesOfAvrosEncoder(@ForAll String text, @ForAll byte[] bytes)
      throws IOException {
    ByteBuffer part = ByteBuffer.wrap(bytes);
    part.position(bytes.length / 2);
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    assertSameBytes(
        out -> {
          out.writeString(text);
          out.writeString(new Utf8(text));
          out.writeString(CharBuffer.wrap(text));
          out.writeBytes(bytes);
          out.writeBytes(part);
          out.writeBytes(direct);
          out.writeFixed(bytes, bytes.length / 3, bytes.length / 3);
          out.writeFixed(part);
        });
    assertThat(part.remaining()).isEqualTo(bytes.length - bytes.length / 2);
  }

  @Example
  void strictDecoderRejectsWhatAvroDrops() throws IOException {
    byte[] excess = HexFormat.of().parseHex("8080808020");
    assertThat(new SliceDecoder(excess, 0, 5).readInt()).isZero();
    assertThatThrownBy(() -> SliceDecoder.strict(excess, 0, 5).readInt())
        .isInstanceOf(InvalidNumberEncodingException.class);
    byte[] lowest = HexFormat.of().parseHex("ffffffff0f");
    assertThat(SliceDecoder.strict(lowest, 0, 5).readInt()).isEqualTo(Integer.MIN_VALUE);
    byte[] block = HexFormat.of().parseHex("0110"); // one item of eight bytes
    assertThat(new SliceDecoder(block, 0, 2).readArrayStart()).isOne();
    assertThatThrownBy(() -> SliceDecoder.strict(block, 0, 2).readArrayStart())
        .isInstanceOf(EOFException.class);
  }

  private static void assertSameBytes(Values values) throws IOException {
    var stream = new ByteArrayOutputStream();
    BinaryEncoder avros = EncoderFactory.get().binaryEncoder(stream, null);
    values.write(avros);
    avros.flush();
    var ours = new ArrayEncoder(0);
    values.write(ours);
    assertThat(ours.toByteArray()).isEqualTo(stream.toByteArray());
    assertThat(ours.size()).isEqualTo(stream.size());
    ours.reset();
    assertThat(ours.toByteArray()).isEmpty();
    values.write(ours);
    assertThat(ours.toByteArray()).isEqualTo(stream.toByteArray());
  }
}
