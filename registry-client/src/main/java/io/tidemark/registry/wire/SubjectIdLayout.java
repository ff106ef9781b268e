package io.tidemark.registry.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The layout of an id that is unique only within a subject, before the datum. All producers of a
 * topic must use the same layout, because the layout cannot be recognized from the bytes.
 *
 * <pre>
 *   INT32         00  00 00 00 03  06 66 6f 6f    id 3, then the Avro binary of "foo"
 *   UINT16_TEXT   00 02  76 33     06 66 6f 6f    2 bytes of id: v3
 *   VARINT_TEXT   04  76 33        06 66 6f 6f    the same as an Avro string: zigzag length, UTF-8
 * </pre>
 */
public enum SubjectIdLayout {
  /** A byte 0, and the id as a big-endian int32. */
  INT32,

  /** The length as a big-endian unsigned 16-bit number, and the id in UTF-8. */
  UINT16_TEXT,

  /** The id as an Avro string. */
  VARINT_TEXT;

  /** The maximum length of an id in bytes. A longer length is treated as an error. */
  static final int MAX_ID_BYTES = 1_024;

  /**
   * Returns the bytes of an id, to write them before a datum.
   *
   * @throws IllegalArgumentException if the layout does not fit the id
   */
  public byte[] bytesOf(String id) {
    if (this == INT32) {
      if (!id.matches("0|-?[1-9][0-9]{0,9}")) {
        throw new IllegalArgumentException(
            "the id \"" + id + "\" is not an int32. Use another layout.");
      }
      return ByteBuffer.allocate(5).put((byte) 0).putInt(Integer.parseInt(id)).array();
    }
    byte[] text = id.getBytes(StandardCharsets.UTF_8);
    if (text.length == 0 || text.length > MAX_ID_BYTES) {
      throw new IllegalArgumentException(
          "the id has " + text.length + " bytes, but at least 1 and at most " + MAX_ID_BYTES + ".");
    }
    ByteBuffer bytes = ByteBuffer.allocate(text.length + 2);
    if (this == UINT16_TEXT) {
      bytes.putShort((short) text.length);
    } else {
      int zigzag = text.length << 1;
      if (zigzag > 0x7f) {
        bytes.put((byte) (zigzag | 0x80)).put((byte) (zigzag >> 7));
      } else {
        bytes.put((byte) zigzag);
      }
    }
    bytes.put(text).flip();
    byte[] exact = new byte[bytes.remaining()];
    bytes.get(exact);
    return exact;
  }

  /** Returns a description of the bytes before a datum, for messages. */
  String described() {
    return switch (this) {
      case INT32 -> "a byte 00 and 4 bytes of id";
      case UINT16_TEXT -> "2 bytes of length and an id in UTF-8";
      case VARINT_TEXT -> "an id as an Avro string";
    };
  }
}
