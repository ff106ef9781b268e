package io.tidemark.benchmarks.contenders;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.file.Block;
import io.tidemark.avro.file.BlockCodec;
import io.tidemark.avro.file.BlockFiller;
import io.tidemark.avro.file.BlockSequence;
import io.tidemark.avro.file.CompressorPool;
import io.tidemark.avro.file.ContainerFileHeader;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.PlanInterpreter;
import io.tidemark.avro.plan.PlanRunner;
import io.tidemark.avro.plan.Planner;
import io.tidemark.avro.plan.TableDatum;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** A pass by fast-avro: check or rewrite, fill blocks, compress, append. */
final class OursPass implements LongSupplier {
  private final Job job;
  private final PlanRunner runner;
  private final CompressorPool compressors;
  private final ContainerFileHeader header;
  private final TableDatum datum = new TableDatum();

  private OursPass(Job job, PlanRunner runner) throws IOException {
    this.job = job;
    this.runner = runner;
    BlockCodec codec = BlockCodec.of(job.codec());
    compressors = new CompressorPool(codec);
    header =
        new ContainerFileHeader(job.tableSchema(), codec, Map.of(), ContainerFileHeader.newSync());
    job.sink().write(header.encoded());
  }

  static LongSupplier compiled(Job job) throws IOException {
    return interpreted(job);
  }

  static LongSupplier interpreted(Job job) throws IOException {
    return new OursPass(job, new PlanInterpreter(plan(job)));
  }

  private static Plan plan(Job job) {
    return Planner.plan(job.writerSchema(), job.tableSchema(), List.of());
  }

  @Override
  public long getAsLong() {
    var filler = new BlockFiller(compressors, Job.BLOCK_SIZE_BYTES);
    try {
      for (byte[] source : job.datums()) {
        runner.run(source, 0, source.length, datum);
        filler.append(datum.bytes(), datum.offset(), datum.length());
      }
      var file = new BlockSequence(compressors, Job.BLOCK_SIZE_BYTES, Runnable::run);
      file.append(filler.finish());
      file.finish().join();
      for (Block block : file.take()) {
        block.writeTo(job.sink(), header);
      }
    } catch (MalformedDatumException e) {
      throw new IllegalStateException("a reference record is malformed", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return filler.rawBytes();
  }
}
