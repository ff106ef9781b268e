package io.tidemark.avro.binary;

import java.util.Objects;

/**
 * A position in the Avro binary encoding of one datum, which reads values and steps over them.
 *
 * <p>The cursor never looks at a byte outside the slice it was given. Whatever it cannot read is a
 * {@link MalformedDatumException} with the offset of the value's first byte and no field path; the
 * position then still stands before the value. Varints may be longer than they need to be, as
 * Avro's library accepts them, but must end within 5 (int) or 10 (long) bytes and fit the type.
 * Text is not checked to be UTF-8.
 *
 * <p>Not safe for use by several threads. One cursor serves any number of datums, one after the
 * other.
 */
public final class BinaryCursor {
  private static final int MAX_INT_BYTES = 5;
  private static final int MAX_LONG_BYTES = 10;

  private byte[] bytes = new byte[0];
  private int start;
  private int position;
  private int end;

  /** Stands the cursor before the first byte of a datum. */
  public BinaryCursor reset(byte[] source, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, source.length);
    bytes = source;
    start = offset;
    position = offset;
    end = offset + length;
    return this;
  }

  /** The index, in the array, of the next byte. */
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

  /** How many bytes of the datum are left. */
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

  /** Reads a float, 4 bytes, little-endian. */
  public float readFloat() throws MalformedDatumException {
    require(Float.BYTES, "value");
    int bits = 0;
    for (int i = 0; i < Float.BYTES; i++) {
      bits |= (bytes[position + i] & 0xff) << (8 * i);
    }
    position += Float.BYTES;
    return Float.intBitsToFloat(bits);
  }

  /** Reads the length of a string or of bytes, which must follow in full. */
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

  /** Reads the index of a union's branch or of an enum's symbol, which must be below a count. */
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

  /** Steps over a boolean. */
  public void skipBoolean() throws MalformedDatumException {
    require(1, "boolean");
    if (bytes[position] != 0 && bytes[position] != 1) {
      throw malformed("boolean is byte " + (bytes[position] & 0xff) + ", neither 0 nor 1");
    }
    position++;
  }

  /** Steps over an int. */
  public void skipInt() throws MalformedDatumException {
    position = varintEnd(MAX_INT_BYTES, "int");
  }

  /** Steps over a long. */
  public void skipLong() throws MalformedDatumException {
    position = varintEnd(MAX_LONG_BYTES, "long");
  }

  /** Steps over a string or bytes. */
  public void skipBytes() throws MalformedDatumException {
    int length = readLength();
    position += length;
  }

  /** Steps over a number of bytes. */
  public void skip(int count) throws MalformedDatumException {
    if (count < 0) {
      throw new IllegalArgumentException("cannot skip " + count + " bytes");
    }
    require(count, "value");
    position += count;
  }

  /** The fault that stands at the cursor's position. */
  public MalformedDatumException malformed(String problem) {
    return new MalformedDatumException((long) position - start, "", problem);
  }

  /** How much of the datum is left, for a message: {@code only 3 bytes are left}. */
  public String left() {
    int left = remaining();
    return left == 0
        ? "nothing is left"
        : "only " + bytes(left) + (left == 1 ? " is left" : " are left");
  }

  /** A number of bytes, for a message: {@code 1 byte}, {@code 2 bytes}. */
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
   * What is left for the last byte: 32 - 4 * 7 = 4 bits of an int, 64 - 9 * 7 = 1 bit of a long.
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
