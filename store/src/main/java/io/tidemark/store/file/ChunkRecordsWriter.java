package io.tidemark.store.file;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatums;

/** Writes the records of one chunk that belong to one file, in order. Not thread-safe. */
public interface ChunkRecordsWriter {

  /**
   * Runs a plan over the datums from index {@code from} up to, not including, {@code to}, and
   * appends the results. This is the fast path: it copies each datum once, to the buffer in which
   * it is checked and compressed.
   *
   * @throws MalformedDatumException a datum does not match the plan's writer schema; the datums
   *     before it are appended, and {@link #records()} includes them
   */
  void append(BatchRunner runner, SourceDatums datums, int from, int to)
      throws MalformedDatumException;

  /** Appends the results of a plan from index {@code from} up to, not including, {@code to}. */
  void append(TableDatums datums, int from, int to);

  long records();

  /** Nothing can be appended afterwards. */
  ChunkRecords finish();
}
