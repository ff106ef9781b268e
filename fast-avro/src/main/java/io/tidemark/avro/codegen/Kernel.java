package io.tidemark.avro.codegen;

/**
 * What a generated class does: walks through datums that stand in one array, checks them and notes
 * where fields stand. Safe for use by several threads: it holds no state.
 *
 * <p>It reads at most {@link io.tidemark.avro.plan.TableDatums#SLACK_BYTES} bytes behind a datum
 * that is well formed. One that is not may send it anywhere in the array, and an {@link
 * IndexOutOfBoundsException} says that it would have gone beyond.
 */
abstract class Kernel {
  /** How many datums are walked through at a time. */
  static final int LANES = 4;

  Kernel() {}

  /**
   * Walks through {@link #LANES} datums at a time.
   *
   * @param bytes holds the datums
   * @param lanes the {@link Lane} of each datum: in where it begins, out where the walk came to
   * @param fields where to write the begin and end of each field of each datum
   * @param at the place of the first datum's first field
   */
  abstract void walkAll(byte[] bytes, long[] lanes, int[] fields, int at);

  /**
   * Walks through one datum.
   *
   * @param depth how many arrays, maps and called records stand around it: 0
   */
  abstract long walk(byte[] bytes, long lane, int[] fields, int at, int depth);
}
