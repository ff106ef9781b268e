package io.tidemark.connect.staging;

import io.tidemark.avro.plan.TableDatums;
import org.jspecify.annotations.Nullable;

/** Datums that stand one behind the other and go to one file, to be copied at once. */
final class Neighbours {
  private @Nullable OpenRun run;
  private @Nullable TableDatums datums;
  private int from;
  private int to;

  /** Takes a datum in, if it goes to the same file and stands behind those that there are. */
  // A run and its datums are the only ones of their kind in a chunk.
  @SuppressWarnings("ReferenceEquality")
  boolean takes(OpenRun itsRun, TableDatums itsDatums, int datum) {
    boolean next = run == itsRun && datums == itsDatums && to == datum;
    if (next) {
      to++;
    }
    return next;
  }

  /** Begins anew with a datum. */
  void begin(OpenRun itsRun, TableDatums itsDatums, int datum) {
    run = itsRun;
    datums = itsDatums;
    from = datum;
    to = datum + 1;
  }

  /** Appends them to their file, if there are any, and forgets them. */
  void append() {
    if (run != null && datums != null) {
      run.filler().append(datums, from, to);
    }
    run = null;
    datums = null;
  }
}
