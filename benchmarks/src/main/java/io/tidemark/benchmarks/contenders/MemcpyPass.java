package io.tidemark.benchmarks.contenders;

import io.tidemark.avro.file.BlockCodec;
import io.tidemark.avro.file.BlockCompressor;
import io.tidemark.avro.file.ContainerFileHeader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/**
 * A pass that only copies datums into a block's buffer, and writes the buffer unchanged or, in a
 * container file, compressed.
 */
final class MemcpyPass implements LongSupplier {
  private final Job job;
  private final boolean container;
  private final BlockCompressor compressor;
  private final byte[] sync = ContainerFileHeader.newSync();
  private final BinaryEncoder file;
  private final byte[] block;
  private int filled;
  private long records;

  MemcpyPass(Job job) throws IOException {
    this.job = job;
    container = job.work() != Work.CHECK_COPY;
    BlockCodec codec = BlockCodec.of(job.codec());
    compressor = codec.newCompressor();
    file = EncoderFactory.get().directBinaryEncoder(job.sink(), null);
    int longest = 0;
    for (byte[] datum : job.datums()) {
      longest = Math.max(longest, datum.length);
    }
    block = new byte[Job.BLOCK_SIZE_BYTES + longest];
    if (container) {
      var header = new ContainerFileHeader(job.writerSchema(), codec, Map.of(), sync);
      job.sink().write(header.encoded());
    }
  }

  @Override
  public long getAsLong() {
    long bytes = 0;
    try {
      for (byte[] datum : job.datums()) {
        System.arraycopy(datum, 0, block, filled, datum.length);
        filled += datum.length;
        bytes += datum.length;
        records++;
        if (filled >= Job.BLOCK_SIZE_BYTES) {
          endBlock();
        }
      }
      if (filled > 0) {
        endBlock();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes;
  }

  private void endBlock() throws IOException {
    if (container) {
      file.writeLong(records);
      file.writeBytes(compressor.compress(block, 0, filled));
      job.sink().write(sync);
    } else {
      job.sink().write(block, 0, filled);
    }
    filled = 0;
    records = 0;
  }
}
