package io.tidemark.connect.staging;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatums;
import io.tidemark.connect.batch.RecordChunk;
import io.tidemark.connect.format.SegmentWriter;
import java.util.Arrays;

/**
 * A plan's runner, the datums that it is to run over next, and what they become if that is not at
 * once a part of a block. Used by one thread.
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

  /** Forgets what was added and what became of it. */
  void clear() {
    if (datums.size() == 0) {
      return; // It is asked for each record of a window.
    }
    datums.clear();
    taken = 0;
    if (results.bytes().length > KEPT_BUFFER_BYTES) {
      results = new TableDatums(FIRST_BUFFER_BYTES);
    }
    results.clear();
  }

  /** Adds the datum of a chunk's record, behind the columns of Kafka where there are any. */
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

  /** The record whose datum was added as the n-th. */
  int record(int n) {
    return records[n];
  }

  /** Runs over all datums; the {@link #results()} are those before a faulty one. */
  void run() throws MalformedDatumException {
    runner.run(datums, 0, datums.size(), results);
  }

  /**
   * Runs over the datums from one on and appends them; the segment counts those before a faulty
   * one.
   */
  void runInto(SegmentWriter segment, int from) throws MalformedDatumException {
    segment.append(runner, datums, from, datums.size());
  }

  TableDatums results() {
    return results;
  }

  /** The next of the results that has not been taken. */
  int take() {
    return taken++;
  }
}
