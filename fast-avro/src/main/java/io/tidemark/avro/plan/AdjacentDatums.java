package io.tidemark.avro.plan;

import org.jspecify.annotations.Nullable;

/**
 * Copies the results of runs to several sinks, each in its order. Adjacent results for one sink are
 * copied together, which is faster than one by one. Not thread-safe.
 *
 * <pre>
 * var adjacent = new AdjacentDatums();
 * for (int i = 0; i &lt; results.runSize(); i++) {
 *   adjacent.append(results, i, sinkOf(i));
 * }
 * adjacent.flush(); // before results is cleared or run again
 * </pre>
 */
public final class AdjacentDatums {
  private @Nullable TableDatums results;
  private @Nullable DatumSink sink;
  private int from;
  private int to;

  /** Creates an instance without results. */
  public AdjacentDatums() {}

  /**
   * Appends a result to a sink, at the latest with the next {@link #flush}.
   *
   * @param datum the index of the result in the last run, from 0
   */
  @SuppressWarnings("ReferenceEquality") // equal but different objects are different sinks
  public void append(TableDatums itsResults, int datum, DatumSink itsSink) {
    if (sink != itsSink || results != itsResults || to != datum) {
      flush();
      sink = itsSink;
      results = itsResults;
      from = datum;
    }
    to = datum + 1;
  }

  /** Copies what was appended and is not copied yet. */
  public void flush() {
    if (sink != null && results != null) {
      sink.append(results, from, to);
    }
    sink = null;
    results = null;
  }
}
