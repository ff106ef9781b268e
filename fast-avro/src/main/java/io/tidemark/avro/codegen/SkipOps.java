package io.tidemark.avro.codegen;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The operations of a generated class that skip a value of a datum, and check it: each takes the
 * position at which the value begins, an index of the array, and returns the one behind it.
 *
 * <p>An operation skips a value if it is well formed. If it is not, or is rare (an index written in
 * three bytes), the operation throws a {@link FallBackException}, and the interpreter runs the
 * datum. An operation never goes back, so that a walk that comes to the end of its datum has seen
 * no byte outside of it. Until then it is held by the bounds of the array alone: on an {@link
 * IndexOutOfBoundsException}, too, the interpreter runs the datum.
 *
 * <p>The operations are methods, and not written out in each generated class, so that the JIT
 * compiler, which inlines them, knows from all plans together which of their branches are taken.
 * Else each first null of each field would throw compiled code away.
 *
 * <p>Whether a value is null is computed with or looked up in a table, and not branched upon, where
 * that can be: nulls that come at random would be mispredicted every other time, for all lanes.
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

  /** The ends of a nullable value, behind the index of the branch. */
  private static final long NULLABLE_INT_ENDS = 0x8080_8080_8000L;

  private static final long NULLABLE_LONG_ENDS = 0x8080_8080_8080_8000L;

  /** How many bytes a string takes by its first, the length; 0 if that does not tell. */
  private static final byte[] BYTES = new byte[1 << Byte.SIZE];

  /**
   * How many bytes a nullable value takes by its first two, the index of the branch (0 is null) and
   * what is behind it; 0 if these do not tell.
   */
  private static final byte[] NULLABLE_BYTES = new byte[1 << Short.SIZE];

  private static final byte[] NULLABLE_BOOLEAN = new byte[1 << Short.SIZE];

  static {
    for (int next = 0; next <= 0xff; next++) {
      // A length in one byte is neither continued (0x80) nor negative (0x01), and twice itself.
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

  /** Skips a number of bytes that is not small. */
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

  /** The index of a union's branch or an enum's symbol, written in one or two bytes. */
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
    // Neither a third byte nor a second one that says nothing.
    if (second <= 0) {
      throw FallBackException.INSTANCE;
    }
    return (first & 0x7f) | second << 7;
  }

  /** The position behind an index that {@link #index} returned. */
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

  /** The index of the branch, as if null were the first, and the byte behind it. */
  private static int nullableHead(byte[] bytes, int position, int nullByte) {
    return ((short) SHORTS.get(bytes, position) & 0xffff) ^ nullByte;
  }

  /** Skips a union of null and int. */
  static int skipNullableInt(byte[] bytes, int position, int nullByte) {
    long head = (long) LONGS.get(bytes, position) ^ nullByte;
    // 8 if none of the bytes that an int may have is the last.
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
    // 8 if none of the first seven is the last.
    int before = Long.numberOfTrailingZeros((~head & NULLABLE_LONG_ENDS) | endOfNull(head)) >> 3;
    int ninth = (int) (tail >>> 47) & (before >> 3);
    int tenth = (int) (tail >>> 55) & ninth;
    int odd = ((int) head & 0xfd) | ((int) (tail >>> 57) & -tenth);
    if (odd != 0) {
      throw FallBackException.INSTANCE;
    }
    return position + 1 + before + ninth + tenth;
  }

  /** The end of the first byte if that is the index of null, which has nothing behind it. */
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

  /** Skips a union of null and a value of a fixed number of bytes, which is not large. */
  static int skipNullable(byte[] bytes, int position, int nullByte, int count) {
    int branch = bytes[position] ^ nullByte;
    if ((branch & ~2) != 0) {
      throw FallBackException.INSTANCE;
    }
    return position + 1 + ((branch * count) >> 1);
  }

  /** The long that begins here; of no meaning if {@link #skipLong} falls back on it. */
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

  /** The four bytes that begin here, the lowest first. */
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

  /** How many items the block has that begins here, 0 behind the last: not more than the bytes. */
  static int blockItems(byte[] bytes, int position) {
    // Long.MIN_VALUE has no absolute value.
    long count = Math.abs(readLong(bytes, position));
    if (count < 0 || count > bytes.length - position) {
      throw FallBackException.INSTANCE;
    }
    return (int) count;
  }

  /** Where the block that begins here says that it ends; -1 if it does not. */
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

  /** Skips the count, and the size if there is one, at the beginning of a block. */
  static int skipBlockHead(byte[] bytes, int position) {
    int behind = skipLong(bytes, position);
    return readLong(bytes, position) < 0 ? skipLong(bytes, behind) : behind;
  }

  /**
   * Falls back on an item that ends beyond the array. Items that are skipped without a look at them
   * could else lead around all ints, and back.
   */
  static void endItem(byte[] bytes, int position) {
    if (position < 0 || position > bytes.length) {
      throw FallBackException.INSTANCE;
    }
  }

  /** Falls back on a block that said that it ends elsewhere, not -1. */
  static void endBlock(int position, int end) {
    if (end != -1 && end != position) {
      throw FallBackException.INSTANCE;
    }
  }
}
