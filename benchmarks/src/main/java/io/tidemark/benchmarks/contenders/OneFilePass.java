package io.tidemark.benchmarks.contenders;

import io.tidemark.avro.file.BlockCodec;
import io.tidemark.avro.file.ParallelFileWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.LongSupplier;

/**
 * A pass by fast-avro's parallel file writer: the datums become blocks of one container file, which
 * all passes continue. Several threads compress the blocks. A pass ends when its last block is
 * written.
 */
final class OneFilePass implements LongSupplier {
  private final Job job;
  private final ParallelFileWriter writer;

  OneFilePass(Job job) throws IOException {
    this.job = job;
    writer =
        ParallelFileWriter.builder(job.tableSchema())
            .codec(BlockCodec.of(job.codec()))
            .blockSizeBytes(Job.BLOCK_SIZE_BYTES)
            .parallelism(job.parallelism())
            .serialBelowBytes(0)
            .writeTo(job.sink());
  }

  @Override
  public long getAsLong() {
    try {
      for (byte[] datum : job.datums()) {
        writer.append(datum, 0, datum.length);
      }
      writer.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return job.datums().length;
  }
}
