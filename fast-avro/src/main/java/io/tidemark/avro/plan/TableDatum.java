package io.tidemark.avro.plan;

import java.util.Objects;

/**
 * A datum in the table's schema, and where its fields stand: what a {@link PlanRunner} fills in.
 *
 * <p>The bytes are the source's own, or those of a scratch buffer that is valid until the runner's
 * next run: read them before, never change them. One datum serves any number of runs, of any
 * runners. Not safe for use by several threads.
 *
 * <p>A field's bytes are its whole value in Avro binary without the index of a nullable union: a
 * string or bytes with the length in front. A field that is null, or stands in a record that is
 * null, is absent.
 */
public final class TableDatum {
  private static final int ABSENT = -1;

  private byte[] bytes = new byte[0];
  private int offset;
  private int length;
  private int fields;
  private int[] fieldOffsets = new int[0];
  private int[] fieldLengths = new int[0];

  /** The array that holds the datum. */
  public byte[] bytes() {
    return bytes;
  }

  /** The index of the datum's first byte. */
  public int offset() {
    return offset;
  }

  /** How many bytes the datum has. */
  public int length() {
    return length;
  }

  /** Whether the plan's field of this index is there and not null. */
  public boolean hasField(int field) {
    return fieldLengths[Objects.checkIndex(field, fields)] != ABSENT;
  }

  /** The index, in {@link #bytes()}, of the first byte of a field that is there. */
  public int fieldOffset(int field) {
    requirePresent(field);
    return fieldOffsets[field];
  }

  /** How many bytes a field that is there has. */
  public int fieldLength(int field) {
    requirePresent(field);
    return fieldLengths[field];
  }

  void begin(byte[] newBytes, int newOffset, int newLength, int newFields) {
    bytes = newBytes;
    offset = newOffset;
    length = newLength;
    fields = newFields;
    if (fieldOffsets.length < newFields) {
      fieldOffsets = new int[newFields];
      fieldLengths = new int[newFields];
    }
    for (int i = 0; i < newFields; i++) {
      fieldLengths[i] = ABSENT;
    }
  }

  void beginField(int field, int position) {
    fieldOffsets[field] = position;
  }

  void endField(int field, int position) {
    fieldLengths[field] = position - fieldOffsets[field];
  }

  /** Tells where the datum ends, once that is known. */
  void endAt(int end) {
    length = end - offset;
  }

  /** Tells that a field, if it is there, stands further on. */
  void moveField(int field, int distance) {
    fieldOffsets[field] += distance;
  }

  /** Tells that the datum is not the source's, but one of other bytes. */
  void rewritten(byte[] newBytes, int newLength) {
    bytes = newBytes;
    offset = 0;
    length = newLength;
  }

  private void requirePresent(int field) {
    if (!hasField(field)) {
      throw new IllegalStateException("field " + field + " is absent: ask hasField first");
    }
  }
}
