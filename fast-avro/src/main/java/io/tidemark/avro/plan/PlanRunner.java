package io.tidemark.avro.plan;

import io.tidemark.avro.binary.MalformedDatumException;

/** Runs a plan, datum by datum. Not safe for use by several threads: each worker has its own. */
public interface PlanRunner {

  /**
   * Checks a datum to its last byte and makes it one of the table.
   *
   * @param source an array that holds the datum; no byte outside of the given range is looked at
   * @param offset where the datum begins
   * @param length how many bytes it has, all of which must belong to it
   * @param result where to tell the datum in the table's schema and its fields; of no meaning after
   *     an exception
   * @throws MalformedDatumException if the bytes are not a datum of the writer's schema
   */
  void run(byte[] source, int offset, int length, TableDatum result) throws MalformedDatumException;
}
