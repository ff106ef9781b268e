package io.tidemark.connect.staging;

import io.tidemark.avro.plan.TableDatums;
import org.jspecify.annotations.Nullable;

/** Consecutive datums of one file, which are copied together. */
final class AdjacentDatums {
  private @Nullable OpenSegment segment;
  private @Nullable TableDatums datums;
  private int from;
  private int to;

  /**
   * Adds a datum if it belongs to the same file and directly follows the others. Returns whether it
   * was added.
   */
  // Within a chunk, a segment and its datums are each one object.
  @SuppressWarnings("ReferenceEquality")
  boolean takes(OpenSegment itsSegment, TableDatums itsDatums, int datum) {
    boolean next = segment == itsSegment && datums == itsDatums && to == datum;
    if (next) {
      to++;
    }
    return next;
  }

  /** Replaces the datums by one datum. */
  void begin(OpenSegment itsSegment, TableDatums itsDatums, int datum) {
    segment = itsSegment;
    datums = itsDatums;
    from = datum;
    to = datum + 1;
  }

  /** Appends the datums to their file, if there are any, and clears them. */
  void append() {
    if (segment != null && datums != null) {
      segment.writer().append(datums, from, to);
    }
    segment = null;
    datums = null;
  }
}
