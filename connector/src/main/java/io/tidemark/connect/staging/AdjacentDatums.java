package io.tidemark.connect.staging;

import io.tidemark.avro.plan.TableDatums;
import org.jspecify.annotations.Nullable;

/** Datums that stand one behind the other and go to one file, to be copied at once. */
final class AdjacentDatums {
  private @Nullable OpenSegment segment;
  private @Nullable TableDatums datums;
  private int from;
  private int to;

  /** Takes a datum in, if it goes to the same file and stands behind those that there are. */
  // A segment and its datums are the only ones of their kind in a chunk.
  @SuppressWarnings("ReferenceEquality")
  boolean takes(OpenSegment itsSegment, TableDatums itsDatums, int datum) {
    boolean next = segment == itsSegment && datums == itsDatums && to == datum;
    if (next) {
      to++;
    }
    return next;
  }

  /** Begins anew with a datum. */
  void begin(OpenSegment itsSegment, TableDatums itsDatums, int datum) {
    segment = itsSegment;
    datums = itsDatums;
    from = datum;
    to = datum + 1;
  }

  /** Appends them to their file, if there are any, and forgets them. */
  void append() {
    if (segment != null && datums != null) {
      segment.writer().append(datums, from, to);
    }
    segment = null;
    datums = null;
  }
}
