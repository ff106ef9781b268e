package io.tidemark.avro.plan;

import io.tidemark.avro.plan.step.Constant;
import java.util.Arrays;
import java.util.Objects;

/**
 * Consecutive datums in the reader schema, in one array. Each call of a {@link BatchRunner} appends
 * its results here, and blocks of files are made of them. A <i>run</i> of this class is one such
 * call.
 *
 * <p>Ends and field positions are available for the datums of the last run only. Earlier datums are
 * only kept as bytes. Not thread-safe.
 *
 * <p>A field's bytes are its whole value in Avro binary. The bytes of a string include its length
 * prefix. The index of a nullable union is not included. A field is absent if it is null, or if its
 * record is null. The methods whose text begins with "For a runner" are internal.
 */
public final class TableDatums {
  /**
   * The size of the padding after the last datum, in bytes. A runner may read into the padding, so
   * that it can load a number at once, without a check of the array's end.
   */
  public static final int SLACK_BYTES = 16;

  private static final int FREE_GROWTH_BYTES = 1 << 16;
  private static final int GROWTH_FACTOR = 64;
  private static final int ABSENT = -1;

  private byte[] bytes;
  private int size;
  private int runStart;
  private int runSize;
  private int[] ends = new int[16];
  private int fields;

  /** The start and end of each field of each datum of the run. */
  private int[] fieldBounds = new int[0];

  /** Creates an empty instance with room for a number of bytes. It grows when needed. */
  public TableDatums(int expectedBytes) {
    bytes = new byte[Math.addExact(expectedBytes, SLACK_BYTES)];
  }

  /** Returns the array that contains the datums from index 0. It is replaced when it grows. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns the size of all datums in bytes. */
  public int size() {
    return size;
  }

  /** Returns the number of datums of the last run. */
  public int runSize() {
    return runSize;
  }

  /** Returns the index of the first byte of a datum of the last run. */
  public int offset(int datum) {
    return Objects.checkIndex(datum, runSize) == 0 ? runStart : ends[datum - 1];
  }

  /** Returns the end index, exclusive, of a datum of the last run. */
  public int end(int datum) {
    return ends[Objects.checkIndex(datum, runSize)];
  }

  /**
   * Returns whether field number {@code field} of {@link Plan#fieldPaths()} is present in a datum
   * of the last run.
   */
  public boolean hasField(int datum, int field) {
    return fieldBounds[place(datum, field)] != ABSENT;
  }

  /** Returns the index of the first byte of a present field. */
  public int fieldOffset(int datum, int field) {
    requirePresent(datum, field);
    return fieldBounds[place(datum, field)];
  }

  /** Returns the size of a present field in bytes. */
  public int fieldLength(int datum, int field) {
    requirePresent(datum, field);
    int place = place(datum, field);
    return fieldBounds[place + 1] - fieldBounds[place];
  }

  /**
   * Removes the first {@code count} bytes, which must be whole datums, and moves the others to the
   * start. After this, {@link #runSize} is 0.
   */
  public void removeFirst(int count) {
    Objects.checkFromIndexSize(0, count, size);
    if (count > 0) {
      System.arraycopy(bytes, count, bytes, 0, size - count);
      size -= count;
    }
    beginRun(0);
  }

  /** Removes all datums. The array is kept for reuse. */
  public void clear() {
    size = 0;
    beginRun(0);
  }

  /**
   * For a runner: returns how much longer than its source of {@code length} bytes a result may be:
   * 64 KiB and 64 bytes for each byte, but at most 16 MiB. A datum of a few bytes may have a
   * million empty items, and each of them may get the default of a new field.
   */
  public static int maxGrowth(int length) {
    return (int) Math.min(Constant.MAX_BYTES, FREE_GROWTH_BYTES + (long) GROWTH_FACTOR * length);
  }

  /** For a runner: begins a run after the existing datums. */
  public void beginRun(int newFields) {
    runStart = size;
    runSize = 0;
    fields = newFields;
  }

  /** For a runner: returns the array, with room for more bytes after the last datum. */
  public byte[] reserve(int count) {
    int needed = Math.addExact(Math.addExact(size, count), SLACK_BYTES);
    if (needed > bytes.length) {
      bytes =
          Arrays.copyOf(
              bytes,
              Math.max(needed, (int) Math.min(bytes.length * 3L / 2, Integer.MAX_VALUE - 8)));
    }
    return bytes;
  }

  /**
   * For a runner: returns the array for the start and end of each field of the next datums,
   * beginning at {@link #nextFields()}. All fields are absent until they are set.
   */
  public int[] reserveFields(int datums) {
    int from = nextFields();
    int to = Math.addExact(from, Math.multiplyExact(2 * fields, datums));
    if (to > fieldBounds.length) {
      fieldBounds = Arrays.copyOf(fieldBounds, Math.max(to, 2 * fieldBounds.length));
    }
    Arrays.fill(fieldBounds, from, to, ABSENT);
    return fieldBounds;
  }

  /** For a runner: returns the index of the next datum's first field. */
  public int nextFields() {
    return 2 * fields * runSize;
  }

  /** For a runner: adds the bytes up to the given end index as the next datum. */
  public void add(int end) {
    if (runSize == ends.length) {
      ends = Arrays.copyOf(ends, 2 * runSize);
    }
    ends[runSize++] = end;
    size = end;
  }

  /** Appends a copy of a datum and of its field positions. */
  void append(TableDatum datum) {
    int begin = size;
    int end = begin + datum.length();
    System.arraycopy(datum.bytes(), datum.offset(), reserve(datum.length()), begin, datum.length());
    int[] bounds = reserveFields(1);
    int at = nextFields();
    for (int field = 0; field < fields; field++) {
      if (datum.hasField(field)) {
        bounds[at + 2 * field] = begin + datum.fieldOffset(field) - datum.offset();
        bounds[at + 2 * field + 1] = bounds[at + 2 * field] + datum.fieldLength(field);
      }
    }
    add(end);
  }

  private int place(int datum, int field) {
    Objects.checkIndex(datum, runSize);
    return 2 * (datum * fields + Objects.checkIndex(field, fields));
  }

  private void requirePresent(int datum, int field) {
    if (!hasField(datum, field)) {
      throw new IllegalStateException("field " + field + " is absent: call hasField first");
    }
  }
}
