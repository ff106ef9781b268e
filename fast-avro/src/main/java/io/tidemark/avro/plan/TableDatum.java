package io.tidemark.avro.plan;

import java.util.Objects;

/**
 * The result of a {@link PlanRunner}: a datum in the reader schema, and the positions of the fields
 * in {@link Plan#fieldPaths()}.
 *
 * <p>The bytes are those of the source, or of a buffer that is valid until the runner's next run.
 * Read them before the next run, and do not modify them. An instance can be reused for any number
 * of runs of any runners. Not thread-safe.
 *
 * <p>A field's bytes are its whole value in Avro binary. The bytes of a string include its length
 * prefix. The index of a nullable union is not included. A field is absent if it is null, or if its
 * record is null.
 */
public final class TableDatum {
  private static final int ABSENT = -1;

  private byte[] bytes = new byte[0];
  private int offset;
  private int length;
  private int fields;
  private int[] fieldOffsets = new int[0];
  private int[] fieldLengths = new int[0];

  /** Returns the array that contains the datum. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns the index of the datum's first byte. */
  public int offset() {
    return offset;
  }

  /** Returns the size of the datum in bytes. */
  public int length() {
    return length;
  }

  /** Returns whether field number {@code field} of {@link Plan#fieldPaths()} is not absent. */
  public boolean hasField(int field) {
    return fieldLengths[Objects.checkIndex(field, fields)] != ABSENT;
  }

  /** Returns the index of the first byte of a present field in {@link #bytes()}. */
  public int fieldOffset(int field) {
    requirePresent(field);
    return fieldOffsets[field];
  }

  /** Returns the size of a present field in bytes. */
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

  /** Sets the end of the datum. */
  void endAt(int end) {
    length = end - offset;
  }

  /** Moves the position of a field, if it is present, by a distance. */
  void moveField(int field, int distance) {
    fieldOffsets[field] += distance;
  }

  /** Replaces the source's bytes with converted ones. */
  void rewritten(byte[] newBytes, int newLength) {
    bytes = newBytes;
    offset = 0;
    length = newLength;
  }

  private void requirePresent(int field) {
    if (!hasField(field)) {
      throw new IllegalStateException("field " + field + " is absent: call hasField first");
    }
  }
}
