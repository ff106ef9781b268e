package io.tidemark.avro.binary;

import java.io.EOFException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.InvalidNumberEncodingException;
import org.apache.avro.SystemLimitException;
import org.apache.avro.io.Decoder;
import org.apache.avro.util.Utf8;
import org.jspecify.annotations.Nullable;

/**
 * An Avro decoder of datums in a <i>slice</i>: a range of a byte array, which it does not copy. Not
 * thread-safe.
 *
 * <p>It returns the same values as Avro's {@code BinaryDecoder}. It is faster, because the whole
 * datum is in the array. If a length exceeds the rest of the slice, an {@link EOFException} is
 * thrown before any memory is allocated.
 */
public final class SliceDecoder extends Decoder {
  private static final VarHandle LITTLE_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LITTLE_ENDIAN_INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /**
   * A block of more items than this, and than the slice has bytes, is returned in parts. A reader
   * would otherwise allocate memory for a count that may be wrong.
   */
  private static final int PART_ITEMS = 4_096;

  /** The maximum number of items without bytes, such as nulls, in one slice. */
  private static final int MOST_EMPTY_ITEMS = 1 << 20;

  /** The maximum number of skipped items for each byte: a byte may be in several nested arrays. */
  private static final int MOST_LEVELS = 256;

  private static final int NOT_COUNTED = -1;

  /** The bits of an int's fifth byte that do not fit into 32 bits. */
  private static final int EXCESS_BITS = 0x70;

  private final boolean strict;
  private byte[] bytes;
  private int position;
  private int end;
  private long items;

  /** The number of arrays and maps that contain the current position. */
  private int depth;

  /** The items of the blocks that are returned in parts, by depth; null if there are none. */
  private long @Nullable [] rest;

  /** The count that was returned last, and the position of its first item. */
  private long lastCount;

  private int countedFrom = NOT_COUNTED;

  /** The number of items without bytes so far. */
  private long empty;

  /** The number of items that may still be skipped. */
  private long skippable;

  /** Begins at the first byte of a slice. */
  public SliceDecoder(byte[] bytes, int offset, int length) {
    this(bytes, offset, length, false);
  }

  private SliceDecoder(byte[] bytes, int offset, int length, boolean strict) {
    this.bytes = bytes;
    this.strict = strict;
    reset(bytes, offset, length);
  }

  /**
   * Returns a decoder at the first byte of a slice that is stricter than Avro's: it rejects an int,
   * an index or a symbol with more than 32 bits, whose excess bits Avro drops, and a block of an
   * array or map whose size exceeds the slice.
   */
  public static SliceDecoder strict(byte[] bytes, int offset, int length) {
    return new SliceDecoder(bytes, offset, length, true);
  }

  /** Continues at the first byte of another slice. */
  public SliceDecoder reset(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    this.bytes = bytes;
    position = offset;
    end = offset + length;
    depth = 0;
    rest = null;
    countedFrom = NOT_COUNTED;
    empty = 0;
    skippable = MOST_EMPTY_ITEMS + (long) MOST_LEVELS * length;
    return this;
  }

  /** Returns the index of the next byte in the array. */
  public int position() {
    return position;
  }

  /** Returns the number of bytes of the slice that are left. */
  public int remaining() {
    return end - position;
  }

  @Override
  public void readNull() {}

  @Override
  public boolean readBoolean() throws IOException {
    if (position >= end) {
      throw new EOFException();
    }
    return bytes[position++] == 1;
  }

  @Override
  public int readInt() throws IOException {
    int at = position;
    if (at < end) {
      int first = bytes[at];
      if (first >= 0) {
        position = at + 1;
        return (first >>> 1) ^ -(first & 1);
      }
    }
    return readLongInt();
  }

  private int readLongInt() throws IOException {
    int at = position;
    int value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      if (at >= end) {
        throw new EOFException();
      }
      int next = bytes[at++];
      value |= (next & 0x7f) << shift;
      if (next >= 0) {
        if (strict && shift == 28 && (next & EXCESS_BITS) != 0) {
          throw new InvalidNumberEncodingException("An int has more than 32 bits");
        }
        position = at;
        return (value >>> 1) ^ -(value & 1);
      }
    }
    throw new InvalidNumberEncodingException("Invalid int encoding");
  }

  @Override
  public long readLong() throws IOException {
    int at = position;
    if (at < end) {
      int first = bytes[at];
      if (first >= 0) {
        position = at + 1;
        return (first >>> 1L) ^ -(first & 1L);
      }
    }
    return readLongLong();
  }

  private long readLongLong() throws IOException {
    int at = position;
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (at >= end) {
        throw new EOFException();
      }
      int next = bytes[at++];
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        position = at;
        return (value >>> 1) ^ -(value & 1);
      }
    }
    throw new InvalidNumberEncodingException("Invalid long encoding");
  }

  @Override
  public float readFloat() throws IOException {
    return Float.intBitsToFloat((int) LITTLE_ENDIAN_INT.get(bytes, take(Float.BYTES)));
  }

  @Override
  public double readDouble() throws IOException {
    return Double.longBitsToDouble((long) LITTLE_ENDIAN_LONG.get(bytes, take(Double.BYTES)));
  }

  @Override
  public Utf8 readString(@Nullable Utf8 old) throws IOException {
    int length = SystemLimitException.checkMaxStringLength(readLong());
    int at = take(length);
    if (old == null) {
      return length == 0 ? new Utf8() : new Utf8(Arrays.copyOfRange(bytes, at, at + length));
    }
    old.setByteLength(length);
    System.arraycopy(bytes, at, old.getBytes(), 0, length);
    return old;
  }

  @Override
  public String readString() throws IOException {
    int length = SystemLimitException.checkMaxStringLength(readLong());
    return new String(bytes, take(length), length, StandardCharsets.UTF_8);
  }

  @Override
  public void skipString() throws IOException {
    skipBytes();
  }

  @Override
  public ByteBuffer readBytes(@Nullable ByteBuffer old) throws IOException {
    int length = SystemLimitException.checkMaxBytesLength(readLong());
    int at = take(length);
    if (old == null || length > old.capacity()) {
      return ByteBuffer.wrap(Arrays.copyOfRange(bytes, at, at + length));
    }
    old.clear();
    old.put(bytes, at, length);
    old.flip();
    return old;
  }

  @Override
  public void skipBytes() throws IOException {
    skip(readLong());
  }

  @Override
  public void readFixed(byte[] target, int start, int length) throws IOException {
    if (length < 0) {
      throw new AvroRuntimeException("Malformed data. Length is negative: " + length);
    }
    System.arraycopy(bytes, take(length), target, start, length);
  }

  @Override
  public void skipFixed(int length) throws IOException {
    skip(length);
  }

  @Override
  public int readEnum() throws IOException {
    return readInt();
  }

  @Override
  public long readArrayStart() throws IOException {
    items = SystemLimitException.checkMaxCollectionLength(readCount());
    if (items == 0) {
      return 0;
    }
    depth++;
    return counted(items);
  }

  @Override
  public long arrayNext() throws IOException {
    if (countedFrom == position) {
      addEmpty(lastCount);
    }
    long more = rest(depth);
    if (more == 0) {
      more = readCount();
      items = SystemLimitException.checkMaxCollectionLength(items, more);
    }
    if (more == 0) {
      depth--;
      countedFrom = NOT_COUNTED; // The items around it have bytes: at least those of its end.
      return 0;
    }
    return counted(more);
  }

  /** Returns the count of a block, or of its first part. The other items follow as blocks. */
  private long counted(long block) {
    long part = Math.min(block, Math.max(PART_ITEMS, end - position));
    if (part < block || rest != null) {
      keepRest(block - part);
    }
    lastCount = part;
    countedFrom = position;
    return part;
  }

  private void keepRest(long more) {
    long[] known = rest == null ? new long[depth + 1] : rest;
    if (depth >= known.length) {
      known = Arrays.copyOf(known, 2 * depth);
    }
    known[depth] = more;
    rest = known;
  }

  private long rest(int at) {
    return rest != null && at < rest.length ? rest[at] : 0;
  }

  private void addEmpty(long more) {
    empty += more;
    if (empty > MOST_EMPTY_ITEMS) {
      throw tooManyEmpty();
    }
  }

  private static AvroRuntimeException tooManyEmpty() {
    return new AvroRuntimeException(
        "Malformed data. There are more than " + MOST_EMPTY_ITEMS + " items without bytes");
  }

  @Override
  public long skipArray() throws IOException {
    long count = readLong();
    while (count < 0) {
      skip(readLong());
      count = readLong();
    }
    // The caller skips items without bytes one by one.
    if (count > skippable) {
      throw tooManyEmpty();
    }
    skippable -= count;
    return count;
  }

  @Override
  public long readMapStart() throws IOException {
    return readArrayStart();
  }

  @Override
  public long mapNext() throws IOException {
    return arrayNext();
  }

  @Override
  public long skipMap() throws IOException {
    return skipArray();
  }

  @Override
  public int readIndex() throws IOException {
    return readInt();
  }

  private long readCount() throws IOException {
    long count = readLong();
    if (count < 0) {
      long size = readLong();
      if (strict && (size < 0 || size > end - position)) {
        throw new EOFException();
      }
      count = -count;
    }
    return count;
  }

  private void skip(long length) throws IOException {
    if (length > end - position) {
      throw new EOFException();
    }
    position += (int) Math.max(0, length);
  }

  /** Skips some bytes, and returns the index of the first of them. */
  private int take(int length) throws IOException {
    int at = position;
    if (length > end - at) {
      throw new EOFException();
    }
    position = at + length;
    return at;
  }
}
