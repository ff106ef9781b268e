package io.tidemark.avro.plan;

import io.tidemark.avro.binary.MalformedDatumException;

/**
 * Runs a plan over many datums at a time. Not safe for use by several threads: each worker has its
 * own.
 */
public interface BatchRunner {

  /**
   * Checks datums to their last byte and appends them, as datums of the table, to others.
   *
   * @param source the datums, in the writer's schema
   * @param from the first of them to run
   * @param to the one behind the last
   * @param target a {@linkplain TableDatums#beginRun run} of it is begun, and holds afterwards the
   *     datums in their order; after an exception, those before the faulty one
   * @throws MalformedDatumException if one of them is not a datum of the writer's schema
   */
  void run(SourceDatums source, int from, int to, TableDatums target)
      throws MalformedDatumException;
}
