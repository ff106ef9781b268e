package io.tidemark.avro.file;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.EncoderFactory;

/** Encodes objects, one after the other, in a buffer that grows to the largest. Of one thread. */
final class RecordEncoder {
  private final EncoderFactory encoders;
  private final Bytes bytes = new Bytes();
  private BinaryEncoder encoder;

  /** Bytes that are looked at where they are. */
  private static final class Bytes extends ByteArrayOutputStream {
    byte[] array() {
      return buf;
    }
  }

  /**
   * Makes an encoder.
   *
   * @param bufferBytes how many bytes are gathered before they are moved on, from 32 to 2^24
   */
  RecordEncoder(int bufferBytes) {
    encoders = new EncoderFactory().configureBufferSize(bufferBytes);
    encoder = encoders.binaryEncoder(bytes, null);
  }

  /** Encodes an object. If it cannot be encoded, nothing of it is left. */
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

  /** An array that begins with what was encoded. */
  byte[] array() {
    return bytes.array();
  }

  /** How many bytes were encoded. */
  int size() {
    return bytes.size();
  }
}
