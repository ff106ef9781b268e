package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.step.DecimalBytes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The operations of a generated class that skip and check a value of a datum. Each takes the
 * position of the value, an index of the array, and returns the position after the value.
 *
 * <p>An operation skips a value if it is valid. If the value is malformed or rare (an index written
 * in three bytes), the operation throws a {@link FallBackException}, and the interpreter runs the
 * datum. An operation never goes back, so a walk that ends at the end of its datum has read no byte
 * outside of it. During the walk only the bounds of the array are checked: the interpreter also
 * runs the datum on an {@link IndexOutOfBoundsException}.
 *
 * <p>The operations are methods that all generated classes share. The JIT compiler inlines them,
 * and its profile of their branches comes from all plans together. Otherwise the first null of each
 * field would invalidate compiled code.
 *
 * <p>Where possible, nulls are handled by arithmetic or by a table, not by a branch: random nulls
 * would be mispredicted every other time, for all lanes.
 */
final class SkipOps {
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int INT_ENDS = 0x80808080;
  private static final long LONG_ENDS = 0x8080808080808080L;

  /** The ends of a nullable value, after the index of the branch. */
  private static final long NULLABLE_INT_ENDS = 0x8080_8080_8000L;

  private static final long NULLABLE_LONG_ENDS = 0x8080_8080_8080_8000L;

  /** The size of a string by its first byte, the length; 0 if more bytes are needed. */
  private static final byte[] BYTES = new byte[1 << Byte.SIZE];

  /**
   * The size of a nullable value by its first two bytes, the index of the branch (0 is null) and
   * the byte after it; 0 if more bytes are needed.
   */
  private static final byte[] NULLABLE_BYTES = new byte[1 << Short.SIZE];

  private static final byte[] NULLABLE_BOOLEAN = new byte[1 << Short.SIZE];

  static {
    for (int next = 0; next <= 0xff; next++) {
      // A length in one byte has neither the continuation bit (0x80) nor the sign (0x01).
      boolean tells = (next & 0x81) == 0;
      int present = next << Byte.SIZE | 2;
      BYTES[next] = (byte) (tells ? 1 + (next >> 1) : 0);
      NULLABLE_BYTES[next << Byte.SIZE] = 1;
      NULLABLE_BYTES[present] = (byte) (tells ? 2 + (next >> 1) : 0);
      NULLABLE_BOOLEAN[next << Byte.SIZE] = 1;
      NULLABLE_BOOLEAN[present] = (byte) (next <= 1 ? 2 : 0);
    }
  }

  private SkipOps() {}

  /** Skips a boolean. */
  static int skipBoolean(byte[] bytes, int position) {
    if ((bytes[position] & 0xfe) != 0) {
      throw FallBackException.INSTANCE;
    }
    return position + 1;
  }

  /** Skips an int. */
  static int skipInt(byte[] bytes, int position) {
    // The lowest clear bit of the ends is that of the last byte.
    int ends = ~(int) INTS.get(bytes, position) & INT_ENDS;
    return ends != 0
        ? position + 1 + (Integer.numberOfTrailingZeros(ends) >> 3)
        : skipLongestInt(bytes, position);
  }

  private static int skipLongestInt(byte[] bytes, int position) {
    if ((bytes[position + 4] & 0xf0) != 0) {
      throw FallBackException.INSTANCE;
    }
    return position + 5;
  }

  /** Skips a long. */
  static int skipLong(byte[] bytes, int position) {
    long ends = ~(long) LONGS.get(bytes, position) & LONG_ENDS;
    return ends != 0
        ? position + 1 + (Long.numberOfTrailingZeros(ends) >> 3)
        : skipLongestLong(bytes, position);
  }

  private static int skipLongestLong(byte[] bytes, int position) {
    if (bytes[position + 8] >= 0) {
      return position + 9;
    }
    if ((bytes[position + 9] & 0xfe) != 0) {
      throw FallBackException.INSTANCE;
    }
    return position + 10;
  }

  /** Skips a string or bytes. */
  static int skipBytes(byte[] bytes, int position) {
    int taken = BYTES[bytes[position] & 0xff];
    return taken > 0 ? position + taken : skipLongBytes(bytes, position);
  }

  private static int skipLongBytes(byte[] bytes, int position) {
    int first = bytes[position];
    int second = bytes[position + 1];
    if (first < 0 && (first & 1) == 0 && second >= 0) {
      return position + 2 + (((first & 0x7f) | second << 7) >> 1);
    }
    long length = readLong(bytes, position);
    int behind = skipLong(bytes, position);
    if (length < 0 || length > bytes.length - behind) {
      throw FallBackException.INSTANCE;
    }
    return behind + (int) length;
  }

  /** Skips a decimal of bytes; falls back on one of more digits. */
  static int skipDecimal(byte[] bytes, int position, int digits) {
    int end = skipBytes(bytes, position);
    int from = skipLong(bytes, position);
    if (end > bytes.length || !DecimalBytes.fits(bytes, from, end - from, digits)) {
      throw FallBackException.INSTANCE;
    }
    return end;
  }

  /** Skips a large number of bytes. */
  static int skip(byte[] bytes, int position, int count) {
    if (count > bytes.length - position) {
      throw FallBackException.INSTANCE;
    }
    return position + count;
  }

  /** Skips an enum. */
  static int skipEnum(byte[] bytes, int position, int symbols) {
    return behindIndex(position, index(bytes, position, symbols));
  }

  /** Returns the index of a union's branch or an enum's symbol, written in one or two bytes. */
  static int index(byte[] bytes, int position, int count) {
    int first = bytes[position];
    int raw = first >= 0 ? first : longIndex(bytes, position, first);
    if ((raw & 1) != 0 || raw >> 1 >= count) {
      throw FallBackException.INSTANCE;
    }
    return raw >> 1;
  }

  private static int longIndex(byte[] bytes, int position, int first) {
    int second = bytes[position + 1];
    // A third byte, or a redundant second byte, falls back.
    if (second <= 0) {
      throw FallBackException.INSTANCE;
    }
    return (first & 0x7f) | second << 7;
  }

  /** Returns the position after an index that {@link #index} returned. */
  static int behindIndex(int position, int index) {
    return position + (index < 0x40 ? 1 : 2);
  }

  /** Skips a union of null, whose index byte is {@code nullByte}, and boolean. */
  static int skipNullableBoolean(byte[] bytes, int position, int nullByte) {
    int taken = NULLABLE_BOOLEAN[nullableHead(bytes, position, nullByte)];
    if (taken <= 0) {
      throw FallBackException.INSTANCE;
    }
    return position + taken;
  }

  /** Returns the index of the branch, as if null were the first, and the byte after it. */
  private static int nullableHead(byte[] bytes, int position, int nullByte) {
    return ((short) SHORTS.get(bytes, position) & 0xffff) ^ nullByte;
  }

  /** Skips a union of null and int. */
  static int skipNullableInt(byte[] bytes, int position, int nullByte) {
    long head = (long) LONGS.get(bytes, position) ^ nullByte;
    // This is 8 if none of the bytes of an int is the last one.
    int before = Long.numberOfTrailingZeros((~head & NULLABLE_INT_ENDS) | endOfNull(head)) >> 3;
    int fifth = before & (before >> 2);
    int odd = ((int) head & 0xfd) | ((int) (head >>> 44) & 0xf & -fifth) | (before & 8);
    if (odd != 0) {
      throw FallBackException.INSTANCE;
    }
    return position + 1 + before;
  }

  /** Skips a union of null and long. */
  static int skipNullableLong(byte[] bytes, int position, int nullByte) {
    long head = (long) LONGS.get(bytes, position) ^ nullByte;
    // The last three of these are the eighth byte of the long to the tenth.
    long tail = (long) LONGS.get(bytes, position + 3);
    // This is 8 if none of the first seven bytes is the last one.
    int before = Long.numberOfTrailingZeros((~head & NULLABLE_LONG_ENDS) | endOfNull(head)) >> 3;
    int ninth = (int) (tail >>> 47) & (before >> 3);
    int tenth = (int) (tail >>> 55) & ninth;
    int odd = ((int) head & 0xfd) | ((int) (tail >>> 57) & -tenth);
    if (odd != 0) {
      throw FallBackException.INSTANCE;
    }
    return position + 1 + before + ninth + tenth;
  }

  /** Returns the end of the first byte if it is the index of null, which has no value. */
  private static long endOfNull(long head) {
    return (~head & 2) << 6;
  }

  /** Skips a union of null and string or bytes. */
  static int skipNullableBytes(byte[] bytes, int position, int nullByte) {
    int head = nullableHead(bytes, position, nullByte);
    int taken = NULLABLE_BYTES[head];
    return taken > 0 ? position + taken : skipNullableLongBytes(bytes, position, head & 0xff);
  }

  private static int skipNullableLongBytes(byte[] bytes, int position, int branch) {
    if (branch != 2) {
      throw FallBackException.INSTANCE;
    }
    return skipLongBytes(bytes, position + 1);
  }

  /** Skips a union of null and a value of a small fixed number of bytes. */
  static int skipNullable(byte[] bytes, int position, int nullByte, int count) {
    int branch = bytes[position] ^ nullByte;
    if ((branch & ~2) != 0) {
      throw FallBackException.INSTANCE;
    }
    return position + 1 + ((branch * count) >> 1);
  }

  /** Returns the long at the position; undefined if {@link #skipLong} falls back on it. */
  static long readLong(byte[] bytes, int position) {
    int at = position;
    int next = bytes[at];
    long raw = next & 0x7f;
    for (int shift = 7; next < 0 && shift < Long.SIZE; shift += 7) {
      next = bytes[++at];
      raw |= (next & 0x7fL) << shift;
    }
    return (raw >>> 1) ^ -(raw & 1);
  }

  /** Returns the four bytes at the position as a little-endian int. */
  static int readFixedInt(byte[] bytes, int position) {
    return (int) INTS.get(bytes, position);
  }

  /** Skips the end of an array without items; falls back on any other. */
  static int skipNoItems(byte[] bytes, int position) {
    if (bytes[position] != 0) {
      throw FallBackException.INSTANCE;
    }
    return position + 1;
  }

  /** Returns the number of items of a block, at most the bytes that are left; 0 at the end. */
  static int blockItems(byte[] bytes, int position) {
    // Long.MIN_VALUE has no absolute value.
    long count = Math.abs(readLong(bytes, position));
    if (count < 0 || count > bytes.length - position) {
      throw FallBackException.INSTANCE;
    }
    return (int) count;
  }

  /** Returns the end that a block states by its size; -1 if it has no size. */
  static int blockEnd(byte[] bytes, int position) {
    if (readLong(bytes, position) >= 0) {
      return -1;
    }
    int sizeAt = skipLong(bytes, position);
    long end = readLong(bytes, sizeAt) + skipLong(bytes, sizeAt);
    if (end < 0 || end > bytes.length) {
      throw FallBackException.INSTANCE;
    }
    return (int) end;
  }

  /** Skips the count at the start of a block, and the size if there is one. */
  static int skipBlockHead(byte[] bytes, int position) {
    int behind = skipLong(bytes, position);
    return readLong(bytes, position) < 0 ? skipLong(bytes, behind) : behind;
  }

  /**
   * Falls back on an item that ends outside of the array. Items that are skipped without a check
   * could otherwise overflow the position and come back.
   */
  static void endItem(byte[] bytes, int position) {
    if (position < 0 || position > bytes.length) {
      throw FallBackException.INSTANCE;
    }
  }

  /** Falls back on a block whose stated end is another, unless it is -1. */
  static void endBlock(int position, int end) {
    if (end != -1 && end != position) {
      throw FallBackException.INSTANCE;
    }
  }
}
