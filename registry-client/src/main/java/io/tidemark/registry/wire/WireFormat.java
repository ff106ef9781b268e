package io.tidemark.registry.wire;

/**
 * The layout of a schema id in front of a datum, as Confluent's serializers write it: a byte 0, the
 * id as a big-endian int32, the datum.
 *
 * <pre>
 *   00  00 00 12 67  06 66 6f 6f
 *   |   |            the Avro binary of "foo"
 *   |   schema id 4711
 *   framing version
 * </pre>
 */
public final class WireFormat {

  /** Where the datum begins in a framed value, in bytes. */
  public static final int DATUM_OFFSET = 5;

  private static final byte VERSION = 0;

  private WireFormat() {}

  /**
   * The schema id in front of a datum. Allocates nothing unless it throws. Any int may come back:
   * whether a registry knows it is another question.
   *
   * @param value a whole record value; an empty datum ({@code value.length == 5}) is framed
   * @throws UnframedDatumException when the value is shorter than 5 bytes or begins with another
   *     byte than 0
   */
  public static int idOf(byte[] value) throws UnframedDatumException {
    if (value.length < DATUM_OFFSET || value[0] != VERSION) {
      throw UnframedDatumException.of(value);
    }
    return value[1] << 24 | (value[2] & 0xff) << 16 | (value[3] & 0xff) << 8 | (value[4] & 0xff);
  }
}
