package io.tidemark.connect.staging;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.DatumSink;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatums;
import java.util.Arrays;

/**
 * Converts datums by one plan: collects datums, and results that go to no block. Not thread-safe.
 */
final class DatumConverter {
  private static final int FIRST_BUFFER_BYTES = 1 << 12;
  private static final int KEPT_BUFFER_BYTES = 1 << 20;

  private final BatchRunner runner;
  private final SourceDatums datums = new SourceDatums();
  private final int[] records = new int[ChunkLanding.SLICE_RECORDS];
  private int taken;
  private TableDatums results = new TableDatums(FIRST_BUFFER_BYTES);

  DatumConverter(BatchRunner runner) {
    this.runner = runner;
  }

  void clear() {
    if (datums.size() == 0) {
      return; // The caller calls this for each record of a slice.
    }
    datums.clear();
    taken = 0;
    if (results.bytes().length > KEPT_BUFFER_BYTES) {
      results = new TableDatums(FIRST_BUFFER_BYTES);
    }
    results.clear();
  }

  /** Adds the datum of a chunk's record, preceded by the record's Kafka columns, if any. */
  void add(RecordChunk chunk, int index) {
    byte[] value = chunk.value(index);
    records[datums.size()] = index;
    int offset = chunk.framing(index).datumOffset();
    byte[] columns = chunk.columns(index);
    int length = value.length - offset;
    if (columns == null) {
      datums.add(value, offset, length);
    } else {
      byte[] row = Arrays.copyOf(columns, columns.length + length);
      System.arraycopy(value, offset, row, columns.length, length);
      datums.add(row, 0, row.length);
    }
  }

  /** Returns the index of the record whose datum was added as the n-th, from 0. */
  int record(int n) {
    return records[n];
  }

  /** Runs over all datums. After a fault {@link #results()} has the results before the fault. */
  void run() throws MalformedDatumException {
    runner.run(datums, 0, datums.size(), results);
  }

  /** Appends the results from index {@code from}. After a fault the records before it stay. */
  void runInto(DatumSink segment, int from) throws MalformedDatumException {
    segment.append(runner, datums, from, datums.size());
  }

  TableDatums results() {
    return results;
  }

  /** Returns the index of the next result, and moves to the result after it. */
  int take() {
    return taken++;
  }
}
