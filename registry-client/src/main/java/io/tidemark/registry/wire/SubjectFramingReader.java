package io.tidemark.registry.wire;

import io.tidemark.registry.SchemaId;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads the schema ids before the datums of one subject. Not thread-safe. */
public final class SubjectFramingReader implements SchemaIdReader {
  private final String subject;
  private final SubjectIdLayout layout;
  private @Nullable Framing last;

  /** The bytes of the last id; a record with the same bytes has the same id. */
  private byte[] lastBytes = new byte[0];

  /**
   * @param subject the subject of the records, see {@link SubjectTemplate}
   */
  public SubjectFramingReader(String subject, SubjectIdLayout layout) {
    this.subject = subject;
    this.layout = layout;
  }

  @Override
  public Framing read(byte @Nullable [] header, byte[] value) throws UnframedDatumException {
    Framing known = last;
    if (known != null
        && value.length >= lastBytes.length
        && Arrays.equals(value, 0, lastBytes.length, lastBytes, 0, lastBytes.length)) {
      return known;
    }
    Framing framing =
        switch (layout) {
          case INT32 -> {
            if (value.length < WireFormat.DATUM_OFFSET || value[0] != WireFormat.INT32) {
              throw unframed(value);
            }
            String id = Integer.toString(WireFormat.int32(value));
            yield new Framing(id(id), WireFormat.DATUM_OFFSET);
          }
          case UINT16_TEXT -> {
            if (value.length < 2) {
              throw unframed(value);
            }
            yield text(value, 2, (value[0] & 0xff) << 8 | (value[1] & 0xff));
          }
          case VARINT_TEXT -> varintText(value);
        };
    last = framing;
    lastBytes = Arrays.copyOf(value, framing.datumOffset());
    return framing;
  }

  /** Reads a length of one or two bytes (up to 1,024), whose lowest bit, the sign, is 0. */
  private Framing varintText(byte[] value) throws UnframedDatumException {
    if (value.length < 2 || (value[0] & 1) != 0) {
      throw unframed(value);
    }
    if (value[0] >= 0) {
      return text(value, 1, value[0] >> 1);
    }
    if (value[1] <= 0) {
      throw unframed(value);
    }
    return text(value, 2, ((value[0] & 0x7f) | value[1] << 7) >> 1);
  }

  private Framing text(byte[] value, int offset, int length) throws UnframedDatumException {
    if (length == 0 || length > SubjectIdLayout.MAX_ID_BYTES || length > value.length - offset) {
      throw unframed(value);
    }
    try {
      String id =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(value, offset, length))
              .toString();
      return new Framing(id(id), offset + length);
    } catch (CharacterCodingException e) {
      throw unframed(value);
    }
  }

  private SchemaId id(String id) {
    return new SchemaId.OfSubject(subject, id);
  }

  private UnframedDatumException unframed(byte[] value) {
    return UnframedDatumException.ofOther(value, layout.described());
  }
}
