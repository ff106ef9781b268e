package io.tidemark.benchmarks.contenders;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.avro.codegen.CompilerOptions;
import io.tidemark.avro.file.Block;
import io.tidemark.avro.file.BlockCodec;
import io.tidemark.avro.file.BlockFiller;
import io.tidemark.avro.file.BlockSequence;
import io.tidemark.avro.file.CompressorPool;
import io.tidemark.avro.file.ContainerFileHeader;
import io.tidemark.avro.mapping.SchemaMapping;
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.PlanInterpreter;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.benchmarks.records.ReferenceRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** A pass by fast-avro: check or rewrite, fill blocks, compress, append, chunk by chunk. */
final class OursPass implements LongSupplier {
  /** The size of a chunk, as in the parallel file writer: 8 blocks. */
  private static final int CHUNK_BYTES = 8 * Job.BLOCK_SIZE_BYTES;

  /** The size of a window, as in the connector: its bytes fit in the processor's cache. */
  private static final int WINDOW_DATUMS = 64;

  private final Job job;
  private final BatchRunner runner;
  private final CompressorPool compressors;
  private final ContainerFileHeader header;
  private final SourceDatums window = new SourceDatums();

  private OursPass(Job job, BatchRunner runner) throws IOException {
    this.job = job;
    this.runner = runner;
    BlockCodec codec = BlockCodec.of(job.codec());
    compressors = new CompressorPool(codec);
    header =
        new ContainerFileHeader(job.tableSchema(), codec, Map.of(), ContainerFileHeader.newSync());
    job.sink().write(header.encoded());
  }

  /** Creates a pass whose class is generated before this returns, not in the background. */
  static LongSupplier compiled(Job job) throws IOException {
    return new OursPass(
        job, new CompiledPlans(Runnable::run, 1, CompilerOptions.NONE).runner(plan(job)));
  }

  static LongSupplier interpreted(Job job) throws IOException {
    return new OursPass(job, new PlanInterpreter(plan(job)));
  }

  private static Plan plan(Job job) {
    return job.mapped()
        .map(ReferenceRecord.Mapped::mapping)
        .orElse(SchemaMapping.NONE)
        .plan(job.writerSchema(), job.tableSchema(), List.of());
  }

  @Override
  public long getAsLong() {
    var file = new BlockSequence(compressors, Job.BLOCK_SIZE_BYTES, Runnable::run);
    try {
      for (int next = 0; next < job.datums().length; ) {
        next = appendChunk(file, next);
        write(file);
      }
      file.finish().join();
      write(file);
    } catch (MalformedDatumException e) {
      throw new IllegalStateException("a reference record is malformed", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file.rawBytes();
  }

  /** Returns the index of the datum after the chunk. */
  private int appendChunk(BlockSequence file, int from) throws MalformedDatumException {
    var filler = new BlockFiller(compressors, Job.BLOCK_SIZE_BYTES);
    int next = from;
    while (next < job.datums().length && filler.rawBytes() < CHUNK_BYTES) {
      int to = Math.min(next + WINDOW_DATUMS, job.datums().length);
      for (byte[] datum : Arrays.asList(job.datums()).subList(next, to)) {
        window.add(datum, 0, datum.length);
      }
      filler.append(runner, window, 0, window.size());
      window.clear();
      next = to;
    }
    file.append(filler.finish());
    return next;
  }

  private void write(BlockSequence file) throws IOException {
    for (Block block : file.take()) {
      block.writeTo(job.sink(), header);
      block.release();
    }
  }
}
