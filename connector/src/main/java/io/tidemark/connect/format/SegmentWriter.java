package io.tidemark.connect.format;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatums;

/** Takes the records of one chunk that go to one file, in order. Used by one thread at a time. */
public interface SegmentWriter {

  /**
   * Runs a plan over datums and appends the results. This is the short way: a format of Avro datums
   * copies each datum once, to the place where it is checked and compressed.
   *
   * @param from the first of them to append
   * @param to the one behind the last
   * @throws MalformedDatumException one of them is not a datum of the plan's writer schema; those
   *     before it are appended, as {@link #records()} says
   */
  void append(BatchRunner runner, SourceDatums datums, int from, int to)
      throws MalformedDatumException;

  /**
   * Appends results of a plan.
   *
   * @param from the first of them to append
   * @param to the one behind the last
   */
  void append(TableDatums datums, int from, int to);

  /** How many records were appended. */
  long records();

  /** Ends the segment; nothing can be appended after it. */
  Segment finish();
}
