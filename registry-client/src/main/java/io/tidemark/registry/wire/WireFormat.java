package io.tidemark.registry.wire;

import io.tidemark.registry.SchemaId;
import java.nio.ByteBuffer;

/**
 * The layouts of a schema id with a datum, as Confluent's serializers write them: a byte that says
 * which, then the id in network order. The same bytes stand in front of the datum, or in a header
 * of the record, whose value is then the datum alone.
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

  /**
   * The header in which a record's key has its schema id; where it stands twice, the last counts.
   */
  public static final String KEY_HEADER = "__key_schema_id";

  /** The header in which a record's value has its schema id. */
  public static final String VALUE_HEADER = "__value_schema_id";

  /** Where the datum begins behind an int32, in bytes. */
  public static final int DATUM_OFFSET = 5;

  /** Where the datum begins behind a GUID, in bytes. */
  public static final int GUID_DATUM_OFFSET = 17;

  static final byte INT32 = 0;
  static final byte GUID = 1;

  private WireFormat() {}

  /**
   * The int32 in front of a datum. Allocates nothing unless it throws. Any int may come back:
   * whether a registry knows it is another question.
   *
   * @param value a whole record value; an empty datum ({@code value.length == 5}) is framed
   * @throws UnframedDatumException when the value is shorter than 5 bytes or begins with another
   *     byte than 0
   */
  public static int idOf(byte[] value) throws UnframedDatumException {
    if (value.length < DATUM_OFFSET || value[0] != INT32) {
      throw UnframedDatumException.ofInt32(value);
    }
    return int32(value);
  }

  /**
   * The bytes of an id, to stand in front of a datum or in a header.
   *
   * @throws IllegalArgumentException when Confluent's formats have no layout for such an id
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
