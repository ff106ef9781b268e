package io.tidemark.avro.plan;

import io.tidemark.avro.binary.BinaryCursor;
import io.tidemark.avro.binary.MalformedDatumException;

/**
 * Steps over single values: by itself where they are written as most are, else, and for every
 * fault, by a cursor. Not safe for use by several threads.
 */
final class QuickSkips {
  private final BinaryCursor cursor;

  /** The cursor is set on the datum; it is moved only when it is needed. */
  QuickSkips(BinaryCursor cursor) {
    this.cursor = cursor;
  }

  /** The position behind a boolean. */
  int afterBoolean(byte[] bytes, int position, int end) throws MalformedDatumException {
    if (position < end && (bytes[position] & 0xfe) == 0) {
      return position + 1;
    }
    cursor.position(position);
    cursor.skipBoolean();
    return cursor.position();
  }

  /** The position behind an int. */
  int afterInt(byte[] bytes, int position, int end) throws MalformedDatumException {
    // What ends within 4 bytes fits; the fifth is looked at closely.
    int limit = Math.min(end, position + 4);
    for (int i = position; i < limit; i++) {
      if (bytes[i] >= 0) {
        return i + 1;
      }
    }
    cursor.position(position);
    cursor.skipInt();
    return cursor.position();
  }

  /** The position behind a long. */
  int afterLong(byte[] bytes, int position, int end) throws MalformedDatumException {
    // What ends within 9 bytes fits; the tenth is looked at closely.
    int limit = Math.min(end, position + 9);
    for (int i = position; i < limit; i++) {
      if (bytes[i] >= 0) {
        return i + 1;
      }
    }
    cursor.position(position);
    cursor.skipLong();
    return cursor.position();
  }

  /** The position behind a string or bytes. */
  int afterBytes(byte[] bytes, int position, int end) throws MalformedDatumException {
    if (position < end) {
      int first = bytes[position];
      // A length in one byte is neither continued (0x80) nor negative (0x01), and twice itself.
      if ((first & 0x81) == 0 && first >> 1 < end - position) {
        return position + 1 + (first >> 1);
      }
    }
    cursor.position(position);
    cursor.skipBytes();
    return cursor.position();
  }

  /** The position behind a union of null, whose index byte is given, and string or bytes. */
  int afterNullableBytes(byte[] bytes, int position, int end, int nullByte)
      throws MalformedDatumException {
    int branch = position < end ? bytes[position] : -1;
    if (branch == nullByte) {
      return position + 1;
    }
    if (branch == (nullByte ^ 2)) {
      return afterBytes(bytes, position + 1, end);
    }
    cursor.position(position);
    int index = cursor.readIndex(2, "union", "branches");
    return 2 * index == nullByte ? cursor.position() : afterBytes(bytes, cursor.position(), end);
  }
}
