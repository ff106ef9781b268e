package io.tidemark.store.file;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatums;

/** Writes the records of one chunk that belong to one file, in order. Not thread-safe. */
public interface SegmentWriter {

  /**
   * Runs a plan over datums and appends the results. This is the fast path: a format of Avro datums
   * copies each datum once, to the buffer in which it is checked and compressed.
   *
   * @param from the index of the first datum
   * @param to the index after the last datum
   * @throws MalformedDatumException a datum does not match the plan's writer schema; the datums
   *     before it are appended, and {@link #records()} includes them
   */
  void append(BatchRunner runner, SourceDatums datums, int from, int to)
      throws MalformedDatumException;

  /**
   * Appends results of a plan.
   *
   * @param from the index of the first result
   * @param to the index after the last result
   */
  void append(TableDatums datums, int from, int to);

  /** Returns the number of appended records. */
  long records();

  /** Ends the segment; nothing can be appended afterwards. */
  Segment finish();
}
