package io.tidemark.avro.plan;

import io.tidemark.avro.binary.MalformedDatumException;

/** Runs a plan over many datums at a time. Not thread-safe: give each thread its own runner. */
public interface BatchRunner {

  /**
   * Validates datums and converts them to the reader schema. Appends the results to {@code target}.
   *
   * @param source the datums, in the writer schema
   * @param from the index of the first datum to run
   * @param to the end index, exclusive
   * @param target receives the results in order. After an exception it has the results of the
   *     datums before the rejected one, whose index is {@code from + target.runSize()}. To
   *     continue, run the datums after that index
   * @throws MalformedDatumException if a datum is not one of the writer schema
   * @throws UnresolvableDatumException if a datum cannot be converted to the reader schema
   */
  void run(SourceDatums source, int from, int to, TableDatums target)
      throws MalformedDatumException;
}
