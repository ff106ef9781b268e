package io.tidemark.registry.wire;

import io.tidemark.registry.SchemaId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the schema id of each record from its header if there is one, otherwise from the start of
 * the value. Not thread-safe.
 *
 * <p>For a malformed header, an {@link UnframedDatumException} is thrown. The start of the value is
 * not read instead: a datum that begins with the byte 00 or 01 could be mistaken for an id.
 */
public final class FramingReader implements SchemaIdReader {
  private @Nullable Framing lastInt32;
  private int int32;
  private @Nullable Framing lastGuid;
  private long guidHigh;
  private long guidLow;

  @Override
  public Framing read(byte @Nullable [] header, byte[] value) throws UnframedDatumException {
    if (header == null) {
      if (value.length >= WireFormat.DATUM_OFFSET && value[0] == WireFormat.INT32) {
        return int32(value, WireFormat.DATUM_OFFSET);
      }
      if (value.length >= WireFormat.GUID_DATUM_OFFSET && value[0] == WireFormat.GUID) {
        return guid(value, WireFormat.GUID_DATUM_OFFSET);
      }
      throw UnframedDatumException.of(value);
    }
    if (header.length == WireFormat.DATUM_OFFSET && header[0] == WireFormat.INT32) {
      return int32(header, 0);
    }
    if (header.length == WireFormat.GUID_DATUM_OFFSET && header[0] == WireFormat.GUID) {
      return guid(header, 0);
    }
    throw UnframedDatumException.ofHeader(header);
  }

  private Framing int32(byte[] bytes, int datumOffset) {
    int id = WireFormat.int32(bytes);
    Framing last = lastInt32;
    if (last == null || int32 != id || last.datumOffset() != datumOffset) {
      last = new Framing(SchemaId.of(id), datumOffset);
      lastInt32 = last;
      int32 = id;
    }
    return last;
  }

  private Framing guid(byte[] bytes, int datumOffset) {
    long high = WireFormat.int64(bytes, 1);
    long low = WireFormat.int64(bytes, 9);
    Framing last = lastGuid;
    if (last == null || guidHigh != high || guidLow != low || last.datumOffset() != datumOffset) {
      last = new Framing(new SchemaId.Guid(new UUID(high, low)), datumOffset);
      lastGuid = last;
      guidHigh = high;
      guidLow = low;
    }
    return last;
  }
}
