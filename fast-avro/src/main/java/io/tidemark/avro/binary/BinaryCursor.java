package io.tidemark.avro.binary;

import java.util.Objects;

/**
 * Reads and skips the values of one datum in Avro's binary encoding.
 *
 * <p>The cursor never reads a byte outside the given slice. If a value cannot be read, the method
 * that reads or skips the value throws a {@link MalformedDatumException}. The exception has the
 * offset of the value's first byte and no field path. The position is then still before the value.
 * Varints may be longer than necessary, as in Avro's library, but must end within 5 (int) or 10
 * (long) bytes and fit the type. The cursor does not check that text is UTF-8.
 *
 * <p>Not thread-safe. One instance can read any number of datums, one after the other.
 */
public final class BinaryCursor {
  private static final int MAX_INT_BYTES = 5;
  private static final int MAX_LONG_BYTES = 10;

  private byte[] bytes = new byte[0];
  private int start;
  private int position;
  private int end;

  /** Moves the cursor to the first byte of a datum. */
  public BinaryCursor reset(byte[] source, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, source.length);
    bytes = source;
    start = offset;
    position = offset;
    end = offset + length;
    return this;
  }

  /** Returns the index of the next byte in the array. */
  public int position() {
    return position;
  }

  /** Moves the cursor to another index of the array, within the datum. */
  public void position(int newPosition) {
    if (newPosition < start || newPosition > end) {
      throw new IndexOutOfBoundsException(
          "position " + newPosition + " is outside of the datum [" + start + ", " + end + ")");
    }
    position = newPosition;
  }

  /** Returns the number of bytes of the datum that are left. */
  public int remaining() {
    return end - position;
  }

  /** Reads an int, a zigzag varint of at most 5 bytes. */
  public int readInt() throws MalformedDatumException {
    int valueEnd = varintEnd(MAX_INT_BYTES, "int");
    int raw = 0;
    for (int i = position, shift = 0; i < valueEnd; i++, shift += 7) {
      raw |= (bytes[i] & 0x7f) << shift;
    }
    position = valueEnd;
    return (raw >>> 1) ^ -(raw & 1);
  }

  /** Reads a long, a zigzag varint of at most 10 bytes. */
  public long readLong() throws MalformedDatumException {
    int valueEnd = varintEnd(MAX_LONG_BYTES, "long");
    long raw = 0;
    for (int i = position, shift = 0; i < valueEnd; i++, shift += 7) {
      raw |= (bytes[i] & 0x7fL) << shift;
    }
    position = valueEnd;
    return (raw >>> 1) ^ -(raw & 1);
  }

  /** Reads the length of a string or of bytes. That many bytes must follow. */
  public int readLength() throws MalformedDatumException {
    int before = position;
    long length = readLong();
    if (length < 0 || length > remaining()) {
      String problem =
          length < 0 ? "length " + length + " is negative" : "length " + length + ", but " + left();
      position = before;
      throw malformed(problem);
    }
    return (int) length;
  }

  /**
   * Reads the index of a union's branch or of an enum's symbol. The index must be below {@code
   * count}.
   *
   * @param type what the index belongs to, for the message: {@code union} or {@code enum}
   * @param choice what {@code count} counts, for the message: {@code branches} or {@code symbols}
   */
  public int readIndex(int count, String type, String choice) throws MalformedDatumException {
    int before = position;
    int index = readInt();
    if (index < 0 || index >= count) {
      position = before;
      throw malformed(
          type + " index " + index + ", but the " + type + " has " + count + ' ' + choice);
    }
    return index;
  }

  /** Skips a boolean, which must be 0 or 1. */
  public void skipBoolean() throws MalformedDatumException {
    require(1, "boolean");
    if (bytes[position] != 0 && bytes[position] != 1) {
      throw malformed("boolean is byte " + (bytes[position] & 0xff) + ", neither 0 nor 1");
    }
    position++;
  }

  /** Skips an int. */
  public void skipInt() throws MalformedDatumException {
    position = varintEnd(MAX_INT_BYTES, "int");
  }

  /** Skips a long. */
  public void skipLong() throws MalformedDatumException {
    position = varintEnd(MAX_LONG_BYTES, "long");
  }

  /** Skips a string or bytes. */
  public void skipBytes() throws MalformedDatumException {
    int length = readLength();
    position += length;
  }

  /** Skips a number of bytes. */
  public void skip(int count) throws MalformedDatumException {
    if (count < 0) {
      throw new IllegalArgumentException("cannot skip " + count + " bytes");
    }
    require(count, "value");
    position += count;
  }

  /** Returns the exception for an error at the cursor's position. */
  public MalformedDatumException malformed(String problem) {
    return new MalformedDatumException((long) position - start, "", problem);
  }

  /** Returns how much of the datum is left, for a message: {@code only 3 bytes are left}. */
  public String left() {
    int left = remaining();
    return left == 0
        ? "nothing is left"
        : "only " + bytes(left) + (left == 1 ? " is left" : " are left");
  }

  /** Returns a number of bytes, for a message: {@code 1 byte}, {@code 2 bytes}. */
  public static String bytes(int count) {
    return count == 1 ? "1 byte" : count + " bytes";
  }

  private int varintEnd(int maxBytes, String type) throws MalformedDatumException {
    int limit = end - position > maxBytes ? position + maxBytes : end;
    for (int i = position; i < limit; i++) {
      if (bytes[i] >= 0) {
        if (i - position == maxBytes - 1 && bytes[i] > highestLastByte(maxBytes)) {
          throw malformed(
              type + " does not fit " + (maxBytes == MAX_INT_BYTES ? 32 : 64) + " bits");
        }
        return i + 1;
      }
    }
    throw malformed(
        limit - position == maxBytes
            ? type + " is longer than " + maxBytes + " bytes"
            : type + " is cut off by the end of the datum");
  }

  /**
   * Returns the largest last byte of a varint. It has 32 - 4 * 7 = 4 bits of an int, or 64 - 9 * 7
   * = 1 bit of a long.
   */
  private static int highestLastByte(int maxBytes) {
    return maxBytes == MAX_INT_BYTES ? 0x0f : 0x01;
  }

  private void require(int count, String type) throws MalformedDatumException {
    if (count > remaining()) {
      throw malformed(type + " of " + bytes(count) + ", but " + left());
    }
  }
}
