package io.tidemark.avro.plan;

import io.tidemark.avro.plan.step.Constant;
import java.util.List;

/**
 * The order in which the pieces of a record are emitted, if the reader's fields have another order
 * than the writer's.
 *
 * @param boundaries the number of boundaries between pieces, each noted at the start of a field;
 *     the last piece ends where the arrangement is made
 * @param parts what is emitted, in the reader schema's order
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

  /** The value of a field that the writer lacks. */
  record Filled(Constant constant) implements Part {}
}
