package io.tidemark.store.file;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.file.RecordRun;
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatums;

/** Collects the records of one chunk for several files. Not thread-safe. */
final class AvroRecordsWriter implements SegmentWriter {
  private final RecordRun run;

  AvroRecordsWriter(RecordRun run) {
    this.run = run;
  }

  /** Records that are not yet in blocks. */
  record Records(RecordRun run) implements Segment {}

  @Override
  public void append(BatchRunner runner, SourceDatums datums, int from, int to)
      throws MalformedDatumException {
    run.append(runner, datums, from, to);
  }

  @Override
  public void append(TableDatums datums, int from, int to) {
    run.append(datums, from, to);
  }

  @Override
  public long records() {
    return run.records();
  }

  @Override
  public Segment finish() {
    return new Records(run);
  }
}
