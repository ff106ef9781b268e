package io.tidemark.store.file;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.file.BlockFiller;
import io.tidemark.avro.file.BlockRun;
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatums;

/** Fills blocks with the records of one chunk for one file. Not thread-safe. */
final class AvroSegmentWriter implements SegmentWriter {
  private final BlockFiller filler;

  AvroSegmentWriter(BlockFiller filler) {
    this.filler = filler;
  }

  /** Full blocks, and the remaining records. */
  record Blocks(BlockRun run) implements Segment {}

  @Override
  public void append(BatchRunner runner, SourceDatums datums, int from, int to)
      throws MalformedDatumException {
    filler.append(runner, datums, from, to);
  }

  @Override
  public void append(TableDatums datums, int from, int to) {
    filler.append(datums, from, to);
  }

  @Override
  public long records() {
    return filler.records();
  }

  @Override
  public Segment finish() {
    return new Blocks(filler.finish());
  }
}
