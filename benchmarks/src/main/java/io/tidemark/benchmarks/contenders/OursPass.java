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
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.PlanInterpreter;
import io.tidemark.avro.plan.Planner;
import io.tidemark.avro.plan.SourceDatums;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** A pass by fast-avro: check or rewrite, fill blocks, compress, append, chunk by chunk. */
final class OursPass implements LongSupplier {
  /** As the parallel file writer: 8 blocks. */
  private static final int CHUNK_BYTES = 8 * Job.BLOCK_SIZE_BYTES;

  private final Job job;
  private final BatchRunner runner;
  private final CompressorPool compressors;
  private final ContainerFileHeader header;
  private final SourceDatums chunk = new SourceDatums();

  private OursPass(Job job, BatchRunner runner) throws IOException {
    this.job = job;
    this.runner = runner;
    BlockCodec codec = BlockCodec.of(job.codec());
    compressors = new CompressorPool(codec);
    header =
        new ContainerFileHeader(job.tableSchema(), codec, Map.of(), ContainerFileHeader.newSync());
    job.sink().write(header.encoded());
  }

  /** The class is made here and now, not in the background. */
  static LongSupplier compiled(Job job) throws IOException {
    return new OursPass(
        job, new CompiledPlans(Runnable::run, 1, CompilerOptions.NONE).runner(plan(job)));
  }

  static LongSupplier interpreted(Job job) throws IOException {
    return new OursPass(job, new PlanInterpreter(plan(job)));
  }

  private static Plan plan(Job job) {
    return Planner.plan(job.writerSchema(), job.tableSchema(), List.of());
  }

  @Override
  public long getAsLong() {
    var file = new BlockSequence(compressors, Job.BLOCK_SIZE_BYTES, Runnable::run);
    try {
      int bytes = 0;
      for (byte[] datum : job.datums()) {
        chunk.add(datum, 0, datum.length);
        bytes += datum.length;
        if (bytes >= CHUNK_BYTES) {
          appendChunk(file);
          bytes = 0;
        }
      }
      appendChunk(file);
      file.finish().join();
      write(file);
    } catch (MalformedDatumException e) {
      throw new IllegalStateException("a reference record is malformed", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file.rawBytes();
  }

  private void appendChunk(BlockSequence file) throws MalformedDatumException, IOException {
    var filler = new BlockFiller(compressors, Job.BLOCK_SIZE_BYTES);
    filler.append(runner, chunk, 0, chunk.size());
    chunk.clear();
    file.append(filler.finish());
    write(file);
  }

  private void write(BlockSequence file) throws IOException {
    for (Block block : file.take()) {
      block.writeTo(job.sink(), header);
    }
  }
}
