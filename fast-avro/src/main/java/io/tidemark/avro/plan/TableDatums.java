package io.tidemark.avro.plan;

import java.util.Arrays;
import java.util.Objects;

/**
 * Datums in the table's schema, one behind the other in one array: what a {@link BatchRunner} fills
 * in, and what a block is made of.
 *
 * <p>Where each datum ends and its fields stand is known of those of the last run; of those before
 * only the bytes are kept. Not safe for use by several threads.
 *
 * <p>A field's bytes are its whole value in Avro binary without the index of a nullable union: a
 * string or bytes with the length in front. A field that is null, or stands in a record that is
 * null, is absent.
 */
public final class TableDatums {
  /** How many bytes may be read, not written, behind the last datum: a number is read in one go. */
  public static final int SLACK_BYTES = 16;

  private static final int ABSENT = -1;

  private byte[] bytes;
  private int size;
  private int runStart;
  private int runSize;
  private int[] ends = new int[64];
  private int fields;

  /** Where each field of each datum of the run begins and ends. */
  private int[] fieldBounds = new int[0];

  /** Makes room for a number of bytes; more is made when it is needed. */
  public TableDatums(int expectedBytes) {
    bytes = new byte[Math.addExact(expectedBytes, SLACK_BYTES)];
  }

  /** The array that holds the datums, from its first byte on. It is another when room was made. */
  public byte[] bytes() {
    return bytes;
  }

  /** How many bytes all datums have. */
  public int size() {
    return size;
  }

  /** How many datums the last run brought. */
  public int runSize() {
    return runSize;
  }

  /** The index of the first byte of a datum of the last run. */
  public int offset(int datum) {
    return Objects.checkIndex(datum, runSize) == 0 ? runStart : ends[datum - 1];
  }

  /** The index behind the last byte of a datum of the last run. */
  public int end(int datum) {
    return ends[Objects.checkIndex(datum, runSize)];
  }

  /** Whether a datum of the last run has the plan's field of this index, and it is not null. */
  public boolean hasField(int datum, int field) {
    return fieldBounds[place(datum, field)] != ABSENT;
  }

  /** The index of the first byte of a field that is there. */
  public int fieldOffset(int datum, int field) {
    requirePresent(datum, field);
    return fieldBounds[place(datum, field)];
  }

  /** How many bytes a field that is there has. */
  public int fieldLength(int datum, int field) {
    requirePresent(datum, field);
    int place = place(datum, field);
    return fieldBounds[place + 1] - fieldBounds[place];
  }

  /**
   * Takes the first bytes, of whole datums, out, and moves those behind them to the front. The run
   * is forgotten.
   */
  public void removeFirst(int count) {
    Objects.checkFromIndexSize(0, count, size);
    if (count > 0) {
      System.arraycopy(bytes, count, bytes, 0, size - count);
      size -= count;
    }
    beginRun(0);
  }

  /** Takes all datums out; the array stays, so that it can be filled again. */
  public void clear() {
    size = 0;
    beginRun(0);
  }

  /** For a runner: begins a run behind the datums that are there. */
  public void beginRun(int newFields) {
    runStart = size;
    runSize = 0;
    fields = newFields;
  }

  /** For a runner: the array, with room for more bytes behind the last datum. */
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
   * For a runner: where to tell the begin and end of each field of the next datums, from {@link
   * #nextFields()} on. All are absent until told.
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

  /** For a runner: the index of the next datum's first field. */
  public int nextFields() {
    return 2 * fields * runSize;
  }

  /** For a runner: takes the bytes up to an index in as the next datum. */
  public void add(int end) {
    if (runSize == ends.length) {
      ends = Arrays.copyOf(ends, 2 * runSize);
    }
    ends[runSize++] = end;
    size = end;
  }

  /** Appends a copy of a datum and of what is known of its fields. */
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
      throw new IllegalStateException("field " + field + " is absent: ask hasField first");
    }
  }
}
