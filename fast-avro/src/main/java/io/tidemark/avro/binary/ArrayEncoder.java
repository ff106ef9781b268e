package io.tidemark.avro.binary;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import org.apache.avro.io.BinaryEncoder;

/**
 * An Avro encoder that writes into a byte array, which grows. Not thread-safe.
 *
 * <p>It writes the same bytes as Avro's {@code BinaryEncoder}. It is faster, because the bytes are
 * not copied from a buffer to a stream.
 */
public final class ArrayEncoder extends BinaryEncoder {
  private static final VarHandle LITTLE_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LITTLE_ENDIAN_INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int MOST_INT_BYTES = 5;
  private static final int MOST_LONG_BYTES = 10;

  private byte[] bytes;
  private int size;

  /**
   * Creates an encoder without bytes.
   *
   * @param expectedBytes the size of the first array, from 0
   */
  public ArrayEncoder(int expectedBytes) {
    bytes = new byte[expectedBytes];
  }

  /** Returns a copy of all bytes that were written. */
  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  /** Returns the number of bytes that were written. */
  public int size() {
    return size;
  }

  /** Forgets all bytes, and writes into the same array again. */
  public void reset() {
    size = 0;
  }

  /** Does nothing: all bytes are in the array. */
  @Override
  public void flush() {}

  @Override
  public int bytesBuffered() {
    return 0;
  }

  @Override
  public void writeBoolean(boolean value) {
    reserve(1);
    bytes[size++] = (byte) (value ? 1 : 0);
  }

  @Override
  public void writeInt(int value) {
    reserve(MOST_INT_BYTES);
    int rest = (value << 1) ^ (value >> 31);
    int at = size;
    for (; (rest & ~0x7f) != 0; rest >>>= 7) {
      bytes[at++] = (byte) (rest | 0x80);
    }
    bytes[at++] = (byte) rest;
    size = at;
  }

  @Override
  public void writeLong(long value) {
    reserve(MOST_LONG_BYTES);
    long rest = (value << 1) ^ (value >> 63);
    int at = size;
    for (; (rest & ~0x7fL) != 0; rest >>>= 7) {
      bytes[at++] = (byte) (rest | 0x80);
    }
    bytes[at++] = (byte) rest;
    size = at;
  }

  @Override
  public void writeFloat(float value) {
    reserve(Float.BYTES);
    LITTLE_ENDIAN_INT.set(bytes, size, Float.floatToRawIntBits(value));
    size += Float.BYTES;
  }

  @Override
  public void writeDouble(double value) {
    reserve(Double.BYTES);
    LITTLE_ENDIAN_LONG.set(bytes, size, Double.doubleToRawLongBits(value));
    size += Double.BYTES;
  }

  @Override
  public void writeFixed(byte[] source, int start, int length) {
    Objects.checkFromIndexSize(start, length, source.length);
    reserve(length);
    System.arraycopy(source, start, bytes, size, length);
    size += length;
  }

  @Override
  public void writeFixed(ByteBuffer source) {
    int length = source.remaining();
    reserve(length);
    source.duplicate().get(bytes, size, length);
    size += length;
  }

  @Override
  protected void writeZero() {
    reserve(1);
    bytes[size++] = 0;
  }

  private void reserve(int more) {
    if (more > bytes.length - size) {
      grow(more);
    }
  }

  private void grow(int more) {
    if (more > Integer.MAX_VALUE - Long.BYTES - size) {
      throw new OutOfMemoryError("a datum of more than " + Integer.MAX_VALUE + " bytes");
    }
    long doubled = Math.max(2L * bytes.length, (long) size + more);
    bytes = Arrays.copyOf(bytes, (int) Math.min(doubled, Integer.MAX_VALUE - Long.BYTES));
  }
}
