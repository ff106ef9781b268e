package io.tidemark.avro.codegen;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * One of the datums that a generated class walks through at a time, as a long: what each step makes
 * of it.
 *
 * <p>The low 32 bits are the position, an index of the array. Bits 32 to 53 count the items that
 * took no bytes. The sign bit is doubt: the datum may be malformed, and the interpreter must look
 * at it. A lane in doubt stays so, wherever it goes on.
 *
 * <p>A step takes a value if it is well formed, and may be in doubt of one that is, if it is rare
 * (a length of one byte written in three). It never goes back, so that a lane that ends without
 * doubt at the end of its datum has seen no byte outside of it. Until then it is held by the bounds
 * of the array alone: an {@link IndexOutOfBoundsException} is doubt too.
 *
 * <p>The steps are methods, and not written out in each generated class, so that the JIT compiler,
 * which inlines them, knows from all plans together which of their branches are taken. Else each
 * first null of each field would throw compiled code away.
 *
 * <p>Whether a value is null is computed with or looked up in a table, and not branched upon, where
 * that can be: nulls that come at random would be mispredicted every other time, for all lanes.
 */
final class Lane {
  /** The sign bit. */
  static final long DOUBT = Long.MIN_VALUE;

  /** How many items that take no bytes a datum may hold. */
  private static final int MAX_EMPTY_ITEMS = 1 << 20;

  private static final int EMPTY_ITEMS_SHIFT = 32;
  private static final long EMPTY_ITEMS_MASK = (1L << 22) - 1;

  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int INT_ENDS = 0x80808080;
  private static final long LONG_ENDS = 0x8080808080808080L;

  /**
   * How many bytes a nullable value takes by its first two, the index of the branch (0 is null) and
   * what is behind it; 0 if these do not tell.
   */
  private static final byte[] NULLABLE_BYTES = new byte[1 << Short.SIZE];

  private static final byte[] NULLABLE_BOOLEAN = new byte[1 << Short.SIZE];

  static {
    for (int next = 0; next <= 0xff; next++) {
      int present = next << Byte.SIZE | 2;
      NULLABLE_BYTES[next << Byte.SIZE] = 1;
      NULLABLE_BYTES[present] = (byte) ((next & 0x81) == 0 ? 2 + (next >> 1) : 0);
      NULLABLE_BOOLEAN[next << Byte.SIZE] = 1;
      NULLABLE_BOOLEAN[present] = (byte) (next <= 1 ? 2 : 0);
    }
  }

  private Lane() {}

  /** 0 if a lane has come to the end of its datum without doubt. */
  static int distance(long lane, int end) {
    return ((int) lane ^ end) | (int) (lane >>> 63);
  }

  /** Steps over a boolean. */
  static long skipBoolean(byte[] bytes, long lane) {
    return (bytes[(int) lane] & 0xfe) == 0 ? lane + 1 : lane | DOUBT;
  }

  /** Steps over an int. */
  static long skipInt(byte[] bytes, long lane) {
    int position = (int) lane;
    // The lowest clear bit of the ends is that of the last byte.
    int ends = ~(int) INTS.get(bytes, position) & INT_ENDS;
    if (ends != 0) {
      return lane + 1 + (Integer.numberOfTrailingZeros(ends) >> 3);
    }
    return (bytes[position + 4] & 0xf0) == 0 ? lane + 5 : lane | DOUBT;
  }

  /** Steps over a long. */
  static long skipLong(byte[] bytes, long lane) {
    int position = (int) lane;
    long ends = ~(long) LONGS.get(bytes, position) & LONG_ENDS;
    return ends != 0
        ? lane + 1 + (Long.numberOfTrailingZeros(ends) >> 3)
        : skipLongestLong(bytes, lane, position);
  }

  private static long skipLongestLong(byte[] bytes, long lane, int position) {
    if (bytes[position + 8] >= 0) {
      return lane + 9;
    }
    return (bytes[position + 9] & 0xfe) == 0 ? lane + 10 : lane | DOUBT;
  }

  /** Steps over a string or bytes. */
  static long skipBytes(byte[] bytes, long lane) {
    int first = bytes[(int) lane];
    // A length in one byte is neither continued (0x80) nor negative (0x01), and twice itself.
    return (first & 0x81) == 0 ? lane + 1 + (first >> 1) : skipLongBytes(bytes, lane, first);
  }

  private static long skipLongBytes(byte[] bytes, long lane, int first) {
    int second = bytes[(int) lane + 1];
    if (first < 0 && (first & 1) == 0 && second >= 0) {
      return lane + 2 + (((first & 0x7f) | second << 7) >> 1);
    }
    long length = readLong(bytes, lane);
    long behind = skipLong(bytes, lane);
    return length >= 0 && length <= bytes.length - (int) behind ? behind + length : lane | DOUBT;
  }

  /** Steps over a number of bytes that is not small. */
  static long skip(byte[] bytes, long lane, int count) {
    return count <= bytes.length - (int) lane ? lane + count : lane | DOUBT;
  }

  /** Steps over an enum. */
  static long skipEnum(byte[] bytes, long lane, int symbols) {
    int index = index(bytes, lane, symbols);
    return index < 0 ? lane | DOUBT : behindIndex(lane, index);
  }

  /**
   * The index of a union's branch or an enum's symbol, written in one or two bytes; -1 if it is
   * none, or is written otherwise.
   */
  static int index(byte[] bytes, long lane, int count) {
    int first = bytes[(int) lane];
    int raw = first >= 0 ? first : longIndex(bytes, lane, first);
    return (raw & 1) == 0 && raw >> 1 < count ? raw >> 1 : -1;
  }

  private static int longIndex(byte[] bytes, long lane, int first) {
    int second = bytes[(int) lane + 1];
    // Neither a third byte nor a second one that says nothing.
    return second > 0 ? (first & 0x7f) | second << 7 : -1;
  }

  /** The lane behind an index that {@link #index} gave. */
  static long behindIndex(long lane, int index) {
    return lane + (index < 0x40 ? 1 : 2);
  }

  /** Steps over a union of null, whose index byte is given, and boolean. */
  static long skipNullableBoolean(byte[] bytes, long lane, int nullByte) {
    int taken = NULLABLE_BOOLEAN[nullableHead(bytes, lane, nullByte)];
    return taken > 0 ? lane + taken : lane | DOUBT;
  }

  /** The index of the branch, as if null were the first, and the byte behind it. */
  private static int nullableHead(byte[] bytes, long lane, int nullByte) {
    return ((short) SHORTS.get(bytes, (int) lane) & 0xffff) ^ nullByte;
  }

  /** Steps over a union of null and int. */
  static long skipNullableInt(byte[] bytes, long lane, int nullByte) {
    int value = (int) lane + 1;
    int branch = bytes[value - 1] ^ nullByte;
    int present = -(branch >> 1);
    // 4 if none of the four bytes is the last.
    int before =
        Integer.numberOfTrailingZeros(~((int) INTS.get(bytes, value) & present) & INT_ENDS) >> 3;
    int odd = (branch & ~2) | (bytes[value + before] & 0xf0 & -(before >> 2));
    return odd == 0 ? lane + 1 + (present & (before + 1)) : lane | DOUBT;
  }

  /** Steps over a union of null and long. */
  static long skipNullableLong(byte[] bytes, long lane, int nullByte) {
    int value = (int) lane + 1;
    int branch = bytes[value - 1] ^ nullByte;
    int present = -(branch >> 1);
    // 8 if none of the eight bytes is the last.
    int before =
        Long.numberOfTrailingZeros(~((long) LONGS.get(bytes, value) & present) & LONG_ENDS) >> 3;
    // The last two of these are the ninth byte and the tenth.
    long end = (long) LONGS.get(bytes, value + 2);
    int tenth = (int) (end >>> 55) & (before >> 3);
    int odd = (branch & ~2) | ((int) (end >>> 57) & -tenth);
    return odd == 0 ? lane + 1 + (present & (before + 1 + tenth)) : lane | DOUBT;
  }

  /** Steps over a union of null and string or bytes. */
  static long skipNullableBytes(byte[] bytes, long lane, int nullByte) {
    int head = nullableHead(bytes, lane, nullByte);
    int taken = NULLABLE_BYTES[head];
    return taken > 0 ? lane + taken : skipNullableLongBytes(bytes, lane, head & 0xff);
  }

  private static long skipNullableLongBytes(byte[] bytes, long lane, int branch) {
    return branch == 2 ? skipLongBytes(bytes, lane + 1, bytes[(int) lane + 1]) : lane | DOUBT;
  }

  /** Steps over a union of null and a value of a fixed number of bytes, which is not large. */
  static long skipNullable(byte[] bytes, long lane, int nullByte, int count) {
    int branch = bytes[(int) lane] ^ nullByte;
    return (branch & ~2) == 0 ? lane + 1 + ((branch * count) >> 1) : lane | DOUBT;
  }

  /** The long that begins here; of no meaning if {@link #skipLong} is in doubt of it. */
  static long readLong(byte[] bytes, long lane) {
    int position = (int) lane;
    int next = bytes[position];
    long raw = next & 0x7f;
    for (int shift = 7; next < 0 && shift < Long.SIZE; shift += 7) {
      next = bytes[++position];
      raw |= (next & 0x7fL) << shift;
    }
    return (raw >>> 1) ^ -(raw & 1);
  }

  /** The four bytes that begin here, the lowest first. */
  static int readFixedInt(byte[] bytes, long lane) {
    return (int) INTS.get(bytes, (int) lane);
  }

  /** Steps over the end of an array without items; of any other it is in doubt. */
  static long skipNoItems(byte[] bytes, long lane) {
    return bytes[(int) lane] == 0 ? lane + 1 : lane | DOUBT;
  }

  /** Steps over the blocks of an array whose items take no bytes. */
  static long skipEmptyItems(byte[] bytes, long start) {
    long lane = start;
    while (lane >= 0) {
      long count = readLong(bytes, lane);
      lane = skipLong(bytes, lane);
      if (count == 0) {
        return lane;
      }
      if (count < 0) {
        lane = readLong(bytes, lane) == 0 ? skipLong(bytes, lane) : lane | DOUBT;
      }
      lane = countEmptyItems(lane, count);
    }
    return lane;
  }

  private static long countEmptyItems(long lane, long count) {
    if (count > MAX_EMPTY_ITEMS || count < -MAX_EMPTY_ITEMS) {
      return lane | DOUBT;
    }
    long counted = lane + (Math.abs(count) << EMPTY_ITEMS_SHIFT);
    return (counted >>> EMPTY_ITEMS_SHIFT & EMPTY_ITEMS_MASK) <= MAX_EMPTY_ITEMS
        ? counted
        : counted | DOUBT;
  }

  /**
   * How many items the block has that begins here, 0 behind the last; -1 if they are more than the
   * bytes.
   */
  static int blockItems(byte[] bytes, long lane) {
    // Long.MIN_VALUE has no absolute value.
    long count = Math.abs(readLong(bytes, lane));
    return count >= 0 && count <= bytes.length - (int) lane ? (int) count : -1;
  }

  /** Where the block that begins here says that it ends; -1 if it does not, 0 if it cannot. */
  static int blockEnd(byte[] bytes, long lane) {
    if (readLong(bytes, lane) >= 0) {
      return -1;
    }
    long sizeAt = skipLong(bytes, lane);
    long end = readLong(bytes, sizeAt) + (int) skipLong(bytes, sizeAt);
    return end >= 0 && end <= bytes.length ? (int) end : 0;
  }

  /** Steps over the count, and the size if there is one, at the beginning of a block. */
  static long skipBlockHead(byte[] bytes, long lane) {
    long behind = skipLong(bytes, lane);
    return readLong(bytes, lane) < 0 ? skipLong(bytes, behind) : behind;
  }

  /** The lane behind the last item of a block that said where it ends, or -1. */
  static long endBlock(long lane, int end) {
    return end == -1 || end == (int) lane ? lane : lane | DOUBT;
  }
}
