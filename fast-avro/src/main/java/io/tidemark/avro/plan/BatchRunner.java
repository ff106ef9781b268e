package io.tidemark.avro.plan;

import io.tidemark.avro.binary.MalformedDatumException;

/**
 * Runs a plan over many datums at a time. Used by one thread at a time: each worker has its own.
 */
public interface BatchRunner {

  /**
   * Validates datums and converts them to the reader schema. Appends the results to {@code target}.
   *
   * @param source the datums, in the writer's schema
   * @param from the index of the first datum to run
   * @param to the end index, exclusive
   * @param target gets a new {@linkplain TableDatums#beginRun run} with the results in order; after
   *     an exception, the run has the datums before the malformed one
   * @throws MalformedDatumException if one of them is not a datum of the writer's schema
   */
  void run(SourceDatums source, int from, int to, TableDatums target)
      throws MalformedDatumException;
}
