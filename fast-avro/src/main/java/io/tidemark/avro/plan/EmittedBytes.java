package io.tidemark.avro.plan;

import io.tidemark.avro.plan.Arrangement.Filled;
import io.tidemark.avro.plan.Arrangement.Part;
import io.tidemark.avro.plan.Arrangement.Piece;
import io.tidemark.avro.plan.step.Constant;
import io.tidemark.avro.plan.step.Conversion;
import java.util.Arrays;
import java.util.List;

/**
 * The bytes of the result that have been emitted so far, with the run of the source's bytes that is
 * still to be copied.
 *
 * <p>The array is reused for each datum and grows. An array that one large datum needed is dropped
 * at the next datum. Not thread-safe.
 */
final class EmittedBytes {
  private static final int KEPT_CAPACITY = 1 << 20;

  private byte[] bytes = new byte[256];
  private int size;
  private int maxGrowth;
  private int limit;

  private byte[] source = new byte[0];
  private int sourceOffset;

  /** The start, in the source, of the run of bytes that is to be copied. */
  private int runStart;

  private int[] marks = new int[16];
  private int marked;
  private byte[] pieces = new byte[0];

  void begin(byte[] newSource, int offset, int length) {
    source = newSource;
    sourceOffset = offset;
    runStart = offset;
    size = 0;
    marked = 0;
    maxGrowth = TableDatums.maxGrowth(length);
    limit = (int) Math.min(Integer.MAX_VALUE - 8L, (long) length + maxGrowth);
    if (bytes.length > KEPT_CAPACITY) {
      bytes = new byte[KEPT_CAPACITY];
    }
    if (pieces.length > KEPT_CAPACITY) {
      pieces = new byte[0];
    }
  }

  /** Returns the array in which the result begins at 0. */
  byte[] bytes() {
    return bytes;
  }

  /** Returns the number of emitted bytes, without those of the run. */
  int size() {
    return size;
  }

  /** Returns the position, among the emitted bytes, of a source byte of the current run. */
  int position(int sourcePosition) {
    return size + sourcePosition - runStart;
  }

  /** Ends the run: copies it up to a position of the source, where the next run begins. */
  void flush(int sourcePosition) throws UnresolvableDatumException {
    copy(runStart, sourcePosition);
    runStart = sourcePosition;
  }

  /** Moves the start of the run: bytes before it are not emitted. */
  void keepFrom(int sourcePosition) {
    runStart = sourcePosition;
  }

  /** Emits a constant, and stores the positions of the captured fields in it. */
  void write(Constant constant, TableDatum result) throws UnresolvableDatumException {
    List<Constant.Field> fields = constant.fields();
    for (int i = 0; i < fields.size(); i++) {
      Constant.Field field = fields.get(i);
      result.beginField(field.field(), size + field.begin());
      result.endField(field.field(), size + field.end());
    }
    write(constant.bytes(), 1);
  }

  /** Returns the start, in the source, of the run of bytes that is to be copied. */
  int runStart() {
    return runStart;
  }

  /** Emits a converted value of the source, and returns false if it is refused. */
  boolean convert(Conversion conversion, int from, int to) throws UnresolvableDatumException {
    ensure(conversion.maxBytes(source, from, to));
    int end = conversion.convert(source, from, to, bytes, size);
    if (end == Conversion.REFUSED) {
      return false;
    }
    size = end;
    return true;
  }

  /** Emits the same bytes a number of times. */
  void write(byte[] constant, long times) throws UnresolvableDatumException {
    ensure(constant.length * times);
    for (long i = 0; i < times; i++) {
      System.arraycopy(constant, 0, bytes, size, constant.length);
      size += constant.length;
    }
  }

  /** Emits a non-negative number as a zigzag varint. */
  void writeCount(long count) throws UnresolvableDatumException {
    ensure(10);
    long rest = count << 1;
    for (; (rest & ~0x7fL) != 0; rest >>>= 7) {
      bytes[size++] = (byte) (rest | 0x80);
    }
    bytes[size++] = (byte) rest;
  }

  /** Notes a boundary. */
  void mark(int position) {
    if (marked == marks.length) {
      marks = Arrays.copyOf(marks, 2 * marked);
    }
    marks[marked++] = position;
  }

  /** Puts the pieces that were emitted since the arrangement's first boundary in order. */
  void arrange(Arrangement arrangement, TableDatum result) throws UnresolvableDatumException {
    int first = marked - arrangement.boundaries();
    int start = marks[first];
    int length = size - start;
    if (pieces.length < length) {
      pieces = new byte[Math.max(length, 2 * pieces.length)];
    }
    System.arraycopy(bytes, start, pieces, 0, length);
    int end = size;
    size = start;
    List<Part> parts = arrangement.parts();
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i) instanceof Piece piece) {
        int from = marks[first + piece.from()];
        int to = boundary(first, piece.to(), end);
        move(piece, size - from, result);
        ensure(to - from);
        System.arraycopy(pieces, from - start, bytes, size, to - from);
        size += to - from;
      } else {
        write(((Filled) parts.get(i)).constant(), result);
      }
    }
    marked = first;
  }

  /** Emits pieces of the source in order. The next run begins at {@code sourcePosition}. */
  void arrangeSource(Arrangement arrangement, int sourcePosition, TableDatum result)
      throws UnresolvableDatumException {
    int first = marked - arrangement.boundaries();
    List<Part> parts = arrangement.parts();
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i) instanceof Piece piece) {
        int from = marks[first + piece.from()];
        move(piece, size - from, result);
        copy(from, boundary(first, piece.to(), sourcePosition));
      } else {
        write(((Filled) parts.get(i)).constant(), result);
      }
    }
    marked = first;
    runStart = sourcePosition;
  }

  private int boundary(int first, int index, int end) {
    return first + index == marked ? end : marks[first + index];
  }

  private static void move(Piece piece, int distance, TableDatum result) {
    List<Integer> fields = piece.fields();
    for (int i = 0; i < fields.size(); i++) {
      result.moveField(fields.get(i), distance);
    }
  }

  private void copy(int from, int to) throws UnresolvableDatumException {
    ensure(to - from);
    System.arraycopy(source, from, bytes, size, to - from);
    size += to - from;
  }

  private void ensure(long more) throws UnresolvableDatumException {
    if (more > bytes.length - size) {
      grow(more);
    }
  }

  private void grow(long more) throws UnresolvableDatumException {
    if (more > limit - size) {
      throw new UnresolvableDatumException(
          (long) runStart - sourceOffset,
          "",
          "converted to the reader schema, the datum would be more than "
              + maxGrowth
              + " bytes longer");
    }
    long doubled = Math.min(limit, 2L * bytes.length);
    bytes = Arrays.copyOf(bytes, (int) Math.max(doubled, size + more));
  }
}
