package io.tidemark.avro.plan;

import io.tidemark.avro.binary.MalformedDatumException;

/** Takes the results of plans, in order, such as the records of one chunk. Not thread-safe. */
public interface DatumSink {

  /**
   * Runs a plan over datums and appends the results. They are copied once.
   *
   * @param from the index of the first datum to append
   * @param to the end index, exclusive
   * @throws MalformedDatumException if one of them is not a datum of the plan's writer schema;
   *     those before it have been appended, and {@link #records()} counts them
   */
  void append(BatchRunner runner, SourceDatums datums, int from, int to)
      throws MalformedDatumException;

  /**
   * Appends some of the datums that the last run of a {@link BatchRunner} added to {@code results}.
   *
   * @param from the index of the first datum to append, from 0 to {@code results.runSize()}
   * @param to the end index, exclusive
   */
  void append(TableDatums results, int from, int to);

  /** Returns the number of appended datums. */
  long records();

  /** Returns the size of the appended datums before compression, in bytes. */
  long rawBytes();
}
