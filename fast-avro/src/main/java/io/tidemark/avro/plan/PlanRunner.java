package io.tidemark.avro.plan;

import io.tidemark.avro.binary.MalformedDatumException;

/** Runs a plan, datum by datum. Not thread-safe: give each thread its own runner. */
public interface PlanRunner {

  /**
   * Validates a datum to its last byte and converts it to the reader schema.
   *
   * @param source an array that contains the datum; no byte outside of the given range is read
   * @param offset the index of the datum's first byte
   * @param length the size of the datum in bytes; all of them must belong to it
   * @param result receives the datum in the reader schema and its fields; undefined after an
   *     exception
   * @throws MalformedDatumException if the bytes are not a datum of the writer schema
   * @throws UnresolvableDatumException if the datum cannot be converted to the reader schema
   */
  void run(byte[] source, int offset, int length, TableDatum result) throws MalformedDatumException;
}
