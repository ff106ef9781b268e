package io.tidemark.avro;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/** Avro's own library, with whose results fast-avro is compared. */
public final class AvroLibrary {
  private AvroLibrary() {}

  public static byte[] encode(Schema schema, @Nullable Object datum) {
    return encode(schema, datum, false);
  }

  /**
   * Encodes a datum. Its arrays and maps have blocks with a plain count, or small blocks with their
   * size in bytes.
   */
  public static byte[] encode(Schema schema, @Nullable Object datum, boolean sizedBlocks) {
    var out = new ByteArrayOutputStream();
    var factory = new EncoderFactory().configureBlockSize(64);
    var encoder =
        sizedBlocks ? factory.blockingBinaryEncoder(out, null) : factory.binaryEncoder(out, null);
    try {
      new GenericDatumWriter<>(schema, new GenericData()).write(datum, encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** Decodes a datum, which must take all of the bytes. */
  public static @Nullable Object decode(
      Schema writer, Schema reader, byte[] bytes, int offset, int length) throws IOException {
    return decode(new GenericData(), writer, reader, bytes, offset, length);
  }

  /**
   * Decodes a datum, which must take all of the bytes.
   *
   * @param library keeps the readers that it creates, for the next datum of the same schemas
   */
  public static @Nullable Object decode(
      GenericData library, Schema writer, Schema reader, byte[] bytes, int offset, int length)
      throws IOException {
    BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(bytes, offset, length, null);
    Object datum = new GenericDatumReader<>(writer, reader, library).read(null, decoder);
    if (!decoder.isEnd()) {
      throw new IOException("bytes follow the datum");
    }
    return datum;
  }

  public static @Nullable Object decode(Schema schema, byte[] bytes) throws IOException {
    return decode(schema, schema, bytes, 0, bytes.length);
  }
}
