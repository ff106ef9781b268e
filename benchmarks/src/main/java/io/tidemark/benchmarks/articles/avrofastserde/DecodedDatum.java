package io.tidemark.benchmarks.articles.avrofastserde;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.avro.io.Decoder;
import org.apache.avro.util.Utf8;
import org.jspecify.annotations.Nullable;

/**
 * A datum whose numbers and texts were decoded before. A reader that reads it only creates the
 * objects, which no reader can avoid. Not thread-safe.
 *
 * <p>The first read goes to a decoder, and this object keeps each value that it returns. After
 * {@link #rewind}, further reads get the same values. Texts, bytes and fixed are copied each time,
 * because the objects of a reader must not share them.
 */
final class DecodedDatum extends Decoder {
  private static final byte[] NONE = {};

  private long[] numbers = new long[16];
  private byte[][] texts = new byte[4][];
  private int number;
  private int text;
  private @Nullable Decoder decoder;

  /** Returns a datum that a decoder reads first. */
  DecodedDatum(Decoder decoder) {
    this.decoder = decoder;
  }

  /** Begins a further read, without the decoder. */
  void rewind() {
    if (decoder != null) {
      numbers = Arrays.copyOf(numbers, number);
      texts = Arrays.copyOf(texts, text);
      decoder = null;
    }
    number = 0;
    text = 0;
  }

  private interface Read<T> {
    T from(Decoder decoder) throws IOException;
  }

  private long number(Read<Long> read) throws IOException {
    Decoder first = decoder;
    if (first == null) {
      return numbers[number++];
    }
    if (number == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * number);
    }
    long value = read.from(first);
    numbers[number++] = value;
    return value;
  }

  private byte[] text(Read<byte[]> read) throws IOException {
    Decoder first = decoder;
    if (first == null) {
      return texts[text++];
    }
    if (text == texts.length) {
      texts = Arrays.copyOf(texts, 2 * text);
    }
    byte[] value = read.from(first);
    texts[text++] = value;
    return value;
  }

  @Override
  public void readNull() {}

  @Override
  public boolean readBoolean() throws IOException {
    return number(in -> in.readBoolean() ? 1L : 0L) == 1;
  }

  @Override
  public int readInt() throws IOException {
    return (int) number(in -> (long) in.readInt());
  }

  @Override
  public long readLong() throws IOException {
    return number(Decoder::readLong);
  }

  @Override
  public float readFloat() throws IOException {
    return Float.intBitsToFloat((int) number(in -> (long) Float.floatToRawIntBits(in.readFloat())));
  }

  @Override
  public double readDouble() throws IOException {
    return Double.longBitsToDouble(number(in -> Double.doubleToRawLongBits(in.readDouble())));
  }

  @Override
  public Utf8 readString(@Nullable Utf8 old) throws IOException {
    byte[] value = text(in -> bytes(in.readString(null)));
    return value.length == 0 ? new Utf8() : new Utf8(Arrays.copyOf(value, value.length));
  }

  private static byte[] bytes(Utf8 text) {
    return Arrays.copyOf(text.getBytes(), text.getByteLength());
  }

  @Override
  public String readString() {
    throw new UnsupportedOperationException("the records of this benchmark have no String");
  }

  @Override
  public ByteBuffer readBytes(@Nullable ByteBuffer old) throws IOException {
    byte[] value = text(in -> in.readBytes(null).array());
    return ByteBuffer.wrap(value.length == 0 ? NONE : Arrays.copyOf(value, value.length));
  }

  @Override
  public void readFixed(byte[] target, int start, int length) throws IOException {
    byte[] value =
        text(
            in -> {
              var fixed = new byte[length];
              in.readFixed(fixed, 0, length);
              return fixed;
            });
    System.arraycopy(value, 0, target, start, length);
  }

  @Override
  public int readEnum() throws IOException {
    return (int) number(in -> (long) in.readEnum());
  }

  @Override
  public long readArrayStart() throws IOException {
    return number(Decoder::readArrayStart);
  }

  @Override
  public long arrayNext() throws IOException {
    return number(Decoder::arrayNext);
  }

  @Override
  public long readMapStart() throws IOException {
    return number(Decoder::readMapStart);
  }

  @Override
  public long mapNext() throws IOException {
    return number(Decoder::mapNext);
  }

  @Override
  public int readIndex() throws IOException {
    return (int) number(in -> (long) in.readIndex());
  }

  @Override
  public void skipString() {
    throw skipped();
  }

  @Override
  public void skipBytes() {
    throw skipped();
  }

  @Override
  public void skipFixed(int length) {
    throw skipped();
  }

  @Override
  public long skipArray() {
    throw skipped();
  }

  @Override
  public long skipMap() {
    throw skipped();
  }

  private static UnsupportedOperationException skipped() {
    return new UnsupportedOperationException("the readers of this benchmark skip no field");
  }
}
