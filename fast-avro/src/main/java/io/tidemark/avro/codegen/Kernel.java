package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.step.Constant;
import java.util.List;

/**
 * What a generated class does: walks through datums that stand in one array, checks them and notes
 * where fields stand. Safe for use by several threads: it holds no state.
 *
 * <p>It reads at most {@link io.tidemark.avro.plan.TableDatums#SLACK_BYTES} bytes behind a datum
 * that is well formed. One that is not ends in a {@link FallBackException}, or sends it anywhere in
 * the array; an {@link IndexOutOfBoundsException} says that it would have gone beyond.
 */
abstract class Kernel {
  /** How many datums are walked through at a time. */
  static final int LANES = 8;

  private final int places;
  private final List<Constant> constants;

  /**
   * Made by the generated class.
   *
   * @param places how many places a walk notes in: two for each captured field, then those that
   *     {@link #emit} needs
   * @param constants what {@link #emit} emits by index
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
   * @param bytes holds the datums
   * @param lanes the position of each datum: in where it begins, out where the walk came to
   * @param notes where to note positions: for each datum the begin and end of each captured field,
   *     then what else is needed
   * @param at the first datum's first place
   */
  abstract void walkAll(byte[] bytes, int[] lanes, int[] notes, int at);

  /**
   * Walks through one datum, and returns the position that the walk came to.
   *
   * @param position where the datum begins
   * @param depth how many arrays, maps and called records stand around it: 0
   */
  abstract int walk(byte[] bytes, int position, int[] notes, int at, int depth);

  /**
   * Emits the table's datum for one that a walk has found well formed, if the plan rewrites.
   *
   * @param at the datum's first place
   */
  void emit(byte[] bytes, int at, RewrittenDatum out) {
    throw new IllegalStateException("the plan copies");
  }
}
