package io.tidemark.connect.staging;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatums;
import io.tidemark.store.file.ChunkRecordsWriter;
import java.util.Arrays;

/**
 * A plan's runner with its input datums. If the results are not written directly to a block, the
 * runner keeps them. Not thread-safe.
 */
final class BoundRunner {
  private static final int FIRST_BUFFER_BYTES = 1 << 12;
  private static final int KEPT_BUFFER_BYTES = 1 << 20;

  private final BatchRunner runner;
  private final SourceDatums datums = new SourceDatums();
  private final int[] records = new int[ChunkLanding.WINDOW_RECORDS];
  private int taken;
  private TableDatums results = new TableDatums(FIRST_BUFFER_BYTES);

  BoundRunner(BatchRunner runner) {
    this.runner = runner;
  }

  /** Clears the input datums and the results. */
  void clear() {
    if (datums.size() == 0) {
      return; // The caller calls this for each record of a window.
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
    if (columns == null) {
      datums.add(value, offset, value.length - offset);
    } else {
      byte[] row = Arrays.copyOf(columns, columns.length + value.length - offset);
      System.arraycopy(value, offset, row, columns.length, value.length - offset);
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

  /**
   * Runs over the datums at index {@code from} and above, and appends them. After a fault the
   * segment has the datums before the fault.
   */
  void runInto(ChunkRecordsWriter segment, int from) throws MalformedDatumException {
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
