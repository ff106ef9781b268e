package io.tidemark.connect.staging;

import io.tidemark.avro.plan.TableDatums;
import org.jspecify.annotations.Nullable;

/** Consecutive datums of one file, which are copied together. */
final class AdjacentDatums {
  private ChunkPart.@Nullable Writer part;
  private @Nullable TableDatums datums;
  private int from;
  private int to;

  /** Adds a datum, and returns true, if it directly follows the others in the same file. */
  // Within a chunk, a part and its datums are each one object.
  @SuppressWarnings("ReferenceEquality")
  boolean takes(ChunkPart.Writer itsPart, TableDatums itsDatums, int datum) {
    if (part != itsPart || datums != itsDatums || to != datum) {
      return false;
    }
    to++;
    return true;
  }

  void begin(ChunkPart.Writer itsPart, TableDatums itsDatums, int datum) {
    part = itsPart;
    datums = itsDatums;
    from = datum;
    to = datum + 1;
  }

  /** Appends the datums to their file, if there are any, and clears them. */
  void append() {
    if (part != null && datums != null) {
      part.segment().append(datums, from, to);
    }
    part = null;
    datums = null;
  }
}
