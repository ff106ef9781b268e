package io.tidemark.avro.plan;

import io.tidemark.avro.binary.BinaryCursor;
import io.tidemark.avro.binary.MalformedDatumException;

/**
 * Skips single values: directly if they have their usual form, and otherwise, or for any error, by
 * a cursor. Not thread-safe.
 */
final class QuickSkips {
  private final BinaryCursor cursor;

  /** Uses a cursor that is set on the datum. The cursor is moved only when it is needed. */
  QuickSkips(BinaryCursor cursor) {
    this.cursor = cursor;
  }

  /** Returns the position after a boolean. */
  int afterBoolean(byte[] bytes, int position, int end) throws MalformedDatumException {
    if (position < end && (bytes[position] & 0xfe) == 0) {
      return position + 1;
    }
    cursor.position(position);
    cursor.skipBoolean();
    return cursor.position();
  }

  /** Returns the position after an int. */
  int afterInt(byte[] bytes, int position, int end) throws MalformedDatumException {
    // A varint of up to 4 bytes always fits; the cursor checks the fifth byte.
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

  /** Returns the position after a long. */
  int afterLong(byte[] bytes, int position, int end) throws MalformedDatumException {
    // A varint of up to 9 bytes always fits; the cursor checks the tenth byte.
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

  /** Returns the position after a string or bytes. */
  int afterBytes(byte[] bytes, int position, int end) throws MalformedDatumException {
    if (position < end) {
      int first = bytes[position];
      // A length in one byte has neither the continuation bit (0x80) nor the sign (0x01).
      if ((first & 0x81) == 0 && first >> 1 < end - position) {
        return position + 1 + (first >> 1);
      }
    }
    cursor.position(position);
    cursor.skipBytes();
    return cursor.position();
  }

  /** Returns the position after a union of null, with the given index byte, and string or bytes. */
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
