package io.tidemark.avro.plan;

import io.tidemark.avro.plan.step.Constant;
import io.tidemark.avro.plan.step.Conversion;
import java.util.List;
import java.util.Map;

/**
 * A tree of steps as instructions in one array, which a loop runs.
 *
 * <p>Records disappear, and neighbours of one kind become one instruction with a count: sixty
 * strings are a single {@code BYTES 60}. The fields of an instruction's values are kept separately,
 * for error messages. A program never changes.
 *
 * <p>In a plan that converts, the bytes of the instructions up to {@link #STOP} are emitted
 * unchanged, in runs that are as long as possible. An instruction that emits other bytes
 * {@linkplain EmittedBytes#flush ends the run} first.
 */
final class Program {
  /** {@code SKIP total n size…}: n values of fixed width. */
  static final int SKIP = 0;

  /** {@code BOOLEANS n}. */
  static final int BOOLEANS = 1;

  /** {@code INTS n}. */
  static final int INTS = 2;

  /** {@code LONGS n}. */
  static final int LONGS = 3;

  /** {@code BYTES n}: strings or bytes. */
  static final int BYTES = 4;

  /**
   * {@code NULLABLE_BYTES n null}: unions of null and string or bytes; {@code null} is the index
   * byte of null.
   */
  static final int NULLABLE_BYTES = 5;

  /**
   * {@code NULLABLE null end}: a union of null and what follows; at null, continues at {@code end}.
   */
  static final int NULLABLE = 6;

  /** {@code ENUM symbols}. */
  static final int ENUM = 7;

  /** {@code UNION n target…}. */
  static final int UNION = 8;

  /** {@code JUMP target}. */
  static final int JUMP = 9;

  /** {@code ITEMS end}: blocks of what follows up to {@code NEXT}, of at least one byte each. */
  static final int ITEMS = 10;

  /** {@code NEXT}: the end of an item. */
  static final int NEXT = 11;

  /** {@code EMPTY_ITEMS}: blocks of items that take no bytes. */
  static final int EMPTY_ITEMS = 12;

  /** {@code CALL target}. */
  static final int CALL = 13;

  /** {@code RETURN}. */
  static final int RETURN = 14;

  /** {@code BEGIN_FIELD field}. */
  static final int BEGIN_FIELD = 15;

  /** {@code END_FIELD field}. */
  static final int END_FIELD = 16;

  /** {@code STOP}. */
  static final int STOP = 17;

  /** {@code BEGIN_EMITTED field}: a field whose position among the emitted bytes is noted. */
  static final int BEGIN_EMITTED = 18;

  /** {@code END_EMITTED field}. */
  static final int END_EMITTED = 19;

  /** {@code DROP}: what follows is not emitted. */
  static final int DROP = 20;

  /** {@code KEEP}: what follows is emitted again. */
  static final int KEEP = 21;

  /** {@code WRITE constant}. */
  static final int WRITE = 22;

  /** {@code REWRITE_UNION n target…}. */
  static final int REWRITE_UNION = 23;

  /** {@code REFUSE}: the reader schema lacks the branch that led here. */
  static final int REFUSE = 24;

  /**
   * {@code REWRITE_ITEMS end empty}: as {@code ITEMS}, with new block heads; {@code empty} is 1 if
   * items emit no bytes.
   */
  static final int REWRITE_ITEMS = 25;

  /** {@code REPEAT constant}: blocks of items that take no bytes, each emitted as the constant. */
  static final int REPEAT = 26;

  /** {@code MARK}: stores a boundary of the pieces of a record among the emitted bytes. */
  static final int MARK = 27;

  /** {@code ARRANGE arrangement}: puts the pieces of a record in order. */
  static final int ARRANGE = 28;

  /** {@code MARK_SOURCE}: stores a boundary of the pieces of a record in the source. */
  static final int MARK_SOURCE = 29;

  /** {@code ARRANGE_SOURCE arrangement}: emits pieces of the source in order. */
  static final int ARRANGE_SOURCE = 30;

  /**
   * {@code CONVERT conversion}: emits what the conversion makes of the bytes since {@code DROP}.
   */
  static final int CONVERT = 31;

  /** {@code DECIMAL digits}. */
  static final int DECIMAL = 32;

  /** {@code AHEAD}: what follows is only looked at, up to {@code CHOOSE}. */
  static final int AHEAD = 33;

  /** {@code CHOOSE n target…}: goes back to {@code AHEAD}, and on by the index of a branch. */
  static final int CHOOSE = 34;

  private final int[] code;
  private final Map<Integer, List<FieldPath>> paths;
  private final List<Constant> constants;
  private final List<Arrangement> arrangements;
  private final List<Conversion> conversions;
  private final Map<Integer, String> words;

  Program(
      int[] code,
      Map<Integer, List<FieldPath>> paths,
      List<Constant> constants,
      List<Arrangement> arrangements,
      List<Conversion> conversions,
      Map<Integer, String> words) {
    this.code = code;
    this.paths = paths;
    this.constants = constants;
    this.arrangements = arrangements;
    this.conversions = conversions;
    this.words = words;
  }

  /** Creates the program of a plan. */
  static Program of(Plan plan) {
    return new ProgramLayout(plan.steps()).program();
  }

  /** Returns the instructions; the caller must not change them. */
  int[] code() {
    return code;
  }

  Constant constant(int index) {
    return constants.get(index);
  }

  Conversion conversion(int index) {
    return conversions.get(index);
  }

  Arrangement arrangement(int index) {
    return arrangements.get(index);
  }

  /** Returns the text of an instruction that rejects a datum. */
  String words(int at) {
    return words.getOrDefault(at, "");
  }

  /** Returns the path of an instruction's n-th value, from the root or from the called record. */
  String path(int at, int value) {
    List<FieldPath> values = paths.getOrDefault(at, List.of());
    return values.isEmpty() ? "" : values.get(Math.min(value, values.size() - 1)).toString();
  }
}
