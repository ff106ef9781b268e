package io.tidemark.avro.plan;

import io.tidemark.avro.plan.step.Constant;
import java.util.List;

/**
 * In which order the pieces of a record are emitted whose fields stand in another order than the
 * writer's.
 *
 * @param boundaries how many boundaries between pieces are noted, each where a field begins; the
 *     last piece ends where the arrangement is made
 * @param parts what is emitted, in the table's order
 */
record Arrangement(int boundaries, List<Part> parts) {
  Arrangement {
    parts = List.copyOf(parts);
  }

  /** A part of the record. */
  sealed interface Part {}

  /**
   * The bytes between two boundaries.
   *
   * @param fields the captured fields in it
   */
  record Piece(int from, int to, List<Integer> fields) implements Part {
    Piece {
      fields = List.copyOf(fields);
    }
  }

  /** Bytes that the writer lacks. */
  record Filled(Constant constant) implements Part {}
}
