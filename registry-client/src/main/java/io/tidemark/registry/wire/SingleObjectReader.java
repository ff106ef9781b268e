package io.tidemark.registry.wire;

import io.tidemark.registry.SchemaId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fingerprints of Avro's single-object encoding. Not thread-safe.
 *
 * <pre>
 *   c3 01  7a 7e c9 0b 40 79 c4 8f  06 66 6f 6f
 *   |      |                        the Avro binary of "foo"
 *   |      the CRC-64-AVRO fingerprint of the writer schema, lowest byte first
 *   the marker of the encoding, in its version 1
 * </pre>
 */
public final class SingleObjectReader implements SchemaIdReader {
  /** The position of the datum, in bytes. */
  public static final int DATUM_OFFSET = 10;

  private static final byte MARKER = (byte) 0xc3;
  private static final byte VERSION = 1;

  private @Nullable Framing last;
  private long lastFingerprint;

  @Override
  public Framing read(byte @Nullable [] header, byte[] value) throws UnframedDatumException {
    if (value.length < DATUM_OFFSET || value[0] != MARKER || value[1] != VERSION) {
      throw UnframedDatumException.ofOther(value, "bytes c3 01 and 8 bytes of fingerprint");
    }
    long fingerprint = Long.reverseBytes(WireFormat.int64(value, 2));
    Framing framing = last;
    if (framing == null || fingerprint != lastFingerprint) {
      framing = new Framing(new SchemaId.Fingerprint(fingerprint), DATUM_OFFSET);
      last = framing;
      lastFingerprint = fingerprint;
    }
    return framing;
  }

  /** Returns the bytes of a fingerprint, to write them before a datum. */
  public static byte[] bytesOf(SchemaId.Fingerprint fingerprint) {
    return ByteBuffer.allocate(DATUM_OFFSET)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(MARKER)
        .put(VERSION)
        .putLong(fingerprint.value())
        .array();
  }
}
