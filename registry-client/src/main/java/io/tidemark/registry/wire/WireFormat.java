package io.tidemark.registry.wire;

import io.tidemark.registry.SchemaId;
import java.nio.ByteBuffer;

/**
 * The layouts of a schema id in Confluent's wire format: a magic byte for the kind of id, then the
 * id in big-endian order. These bytes are at the start of the value, before the datum. Or they are
 * in a header of the record, and the value is only the datum.
 *
 * <pre>
 *   00  00 00 12 67  06 66 6f 6f
 *   |   |            the Avro binary of "foo"
 *   |   schema id 4711
 *   an int32 follows
 *
 *   01  89 79 17 62 23 36 40 d8 9d 1e 8c 8f 4b 5e 2e a7  06 66 6f 6f
 *   |   |                                                the Avro binary of "foo"
 *   |   schema GUID 89791762-2336-40d8-9d1e-8c8f4b5e2ea7
 *   a GUID follows
 * </pre>
 */
public final class WireFormat {

  /** The header with the schema id of a record's key. If it occurs twice, the last one is used. */
  public static final String KEY_HEADER = "__key_schema_id";

  /**
   * The header with the schema id of a record's value. If it occurs twice, the last one is used.
   */
  public static final String VALUE_HEADER = "__value_schema_id";

  /** The position of the datum after an int32, in bytes. */
  public static final int DATUM_OFFSET = 5;

  /** The position of the datum after a GUID, in bytes. */
  public static final int GUID_DATUM_OFFSET = 17;

  static final byte INT32 = 0;
  static final byte GUID = 1;

  private WireFormat() {}

  /**
   * Returns the int32 before a datum. Allocates nothing unless it throws. The id is not checked
   * against a registry.
   *
   * @param value a whole record value; an empty datum ({@code value.length == 5}) is valid
   * @throws UnframedDatumException if the value is shorter than 5 bytes or begins with another byte
   *     than 0
   */
  public static int idOf(byte[] value) throws UnframedDatumException {
    if (value.length < DATUM_OFFSET || value[0] != INT32) {
      throw UnframedDatumException.ofInt32(value);
    }
    return int32(value);
  }

  /**
   * Returns the bytes of an id, to write them before a datum or in a header.
   *
   * @throws IllegalArgumentException if Confluent's formats have no layout for such an id
   */
  public static byte[] bytesOf(SchemaId id) {
    if (id instanceof SchemaId.Int32 number) {
      return ByteBuffer.allocate(DATUM_OFFSET).put(INT32).putInt(number.value()).array();
    }
    if (id instanceof SchemaId.Guid guid) {
      return ByteBuffer.allocate(GUID_DATUM_OFFSET)
          .put(GUID)
          .putLong(guid.value().getMostSignificantBits())
          .putLong(guid.value().getLeastSignificantBits())
          .array();
    }
    throw new IllegalArgumentException(id + " has no layout in Confluent's wire formats");
  }

  static int int32(byte[] bytes) {
    return bytes[1] << 24 | (bytes[2] & 0xff) << 16 | (bytes[3] & 0xff) << 8 | (bytes[4] & 0xff);
  }

  static long int64(byte[] bytes, int offset) {
    long value = 0;
    for (int i = offset; i < offset + 8; i++) {
      value = value << 8 | (bytes[i] & 0xff);
    }
    return value;
  }
}
