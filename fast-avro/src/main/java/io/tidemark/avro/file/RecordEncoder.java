package io.tidemark.avro.file;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.EncoderFactory;

/** Encodes objects, one after the other, in a buffer that grows to the largest. Not thread-safe. */
final class RecordEncoder {
  private final EncoderFactory encoders;
  private final Bytes bytes = new Bytes();
  private BinaryEncoder encoder;

  /** A byte stream that gives access to its array without a copy. */
  private static final class Bytes extends ByteArrayOutputStream {
    byte[] array() {
      return buf;
    }
  }

  /**
   * Creates an encoder.
   *
   * @param bufferBytes the size of the encoder's buffer in bytes, from 32 to 2^24
   */
  RecordEncoder(int bufferBytes) {
    encoders = new EncoderFactory().configureBufferSize(bufferBytes);
    encoder = encoders.binaryEncoder(bytes, null);
  }

  /** Encodes an object. If it cannot be encoded, no bytes of it remain. */
  <D> void encode(D datum, DatumWriter<D> writer) throws IOException {
    bytes.reset();
    boolean encoded = false;
    try {
      writer.write(datum, encoder);
      encoder.flush();
      encoded = true;
    } finally {
      if (!encoded) {
        encoder = encoders.binaryEncoder(bytes, null);
      }
    }
  }

  /** Returns an array that begins with the encoded bytes. */
  byte[] array() {
    return bytes.array();
  }

  /** Returns the number of encoded bytes. */
  int size() {
    return bytes.size();
  }
}
