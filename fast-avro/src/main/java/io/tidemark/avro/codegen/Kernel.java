package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.step.Constant;
import java.util.List;

/**
 * The superclass of generated classes. It walks through datums in one array, checks them and notes
 * the positions of fields. Safe for use by many threads: it has no state.
 *
 * <p>For a valid datum it reads at most {@link io.tidemark.avro.plan.TableDatums#SLACK_BYTES} bytes
 * after the datum. For a malformed datum it throws a {@link FallBackException}, or continues
 * anywhere in the array. An {@link IndexOutOfBoundsException} means that it would have left the
 * array.
 */
abstract class Kernel {
  /** The number of datums that are walked through at a time. */
  static final int LANES = 8;

  private final int places;
  private final List<Constant> constants;

  /**
   * Called by the generated class.
   *
   * @param places the number of noted positions of a datum: two for each captured field, then those
   *     that {@link #emit} needs
   * @param constants the constants that {@link #emit} uses, by index
   */
  Kernel(int places, List<Constant> constants) {
    this.places = places;
    this.constants = List.copyOf(constants);
  }

  int places() {
    return places;
  }

  List<Constant> constants() {
    return constants;
  }

  /**
   * Walks through {@link #LANES} datums at a time.
   *
   * @param bytes the array with the datums
   * @param lanes the position of each datum: its start before the call, its end after it
   * @param notes receives positions: for each datum the start and end of each captured field, then
   *     the other noted positions
   * @param at the index of the first datum's first note
   */
  abstract void walkAll(byte[] bytes, int[] lanes, int[] notes, int at);

  /**
   * Walks through one datum, and returns its end.
   *
   * @param position the start of the datum
   * @param depth the number of enclosing arrays, maps and called records: 0
   */
  abstract int walk(byte[] bytes, int position, int[] notes, int at, int depth);

  /**
   * Emits the result for a datum that a walk has validated, if the plan converts.
   *
   * @param at the index of the datum's first note
   */
  void emit(byte[] bytes, int at, RewrittenDatum out) {
    throw new IllegalStateException("the plan copies");
  }
}
