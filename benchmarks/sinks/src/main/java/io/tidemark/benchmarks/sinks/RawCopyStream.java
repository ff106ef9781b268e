package io.tidemark.benchmarks.sinks;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/**
 * An Avro file in the store, to which compressed blocks are appended. Used by one thread at a time.
 */
final class RawCopyStream {

  /** Creates a file in the store. */
  @FunctionalInterface
  interface Creation {
    OutputStream create() throws IOException;
  }

  /**
   * A compressed block.
   *
   * @param records the number of its datums
   */
  record Block(long records, ByteBuffer bytes) {}

  private final OutputStream out;
  private final BinaryEncoder encoder;
  private final byte[] sync;

  private RawCopyStream(OutputStream out, byte[] sync) {
    this.out = out;
    this.sync = sync;
    encoder = EncoderFactory.get().directBinaryEncoder(out, null);
  }

  /** Creates the file and writes its header. */
  static RawCopyStream create(Creation creation, BlockWorkers workers) {
    try {
      OutputStream out = creation.create();
      out.write(workers.header());
      return new RawCopyStream(out, workers.sync());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  RawCopyStream append(Block block) {
    try {
      encoder.writeLong(block.records());
      encoder.writeBytes(block.bytes());
      out.write(sync);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
