package io.tidemark.avro.plan;

import io.tidemark.avro.binary.BinaryCursor;
import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.plan.PlanStep.Symbol;

/**
 * Does the instructions of a program that give other bytes than they take, for a {@link Walker};
 * but for those of arrays and maps, whose levels are the walker's. Not safe for use by several
 * threads.
 */
final class Rewriter {
  private final Program program;
  private final int[] code;
  private final BinaryCursor cursor;
  private final GivenBytes given;

  private int datumStart;

  /** Where the index stands of the last union that was rewritten. */
  private int unionAt;

  Rewriter(Program program, BinaryCursor cursor, GivenBytes given) {
    this.program = program;
    this.code = program.code();
    this.cursor = cursor;
    this.given = given;
  }

  void begin(byte[] bytes, int offset, int length) {
    datumStart = offset;
    given.begin(bytes, offset, length);
  }

  /**
   * Does an instruction, at the cursor's position, and gives the one to go on with; then the cursor
   * stands behind what was taken.
   */
  int run(int at, TableDatum result) throws MalformedDatumException {
    int position = cursor.position();
    switch (code[at]) {
      case Program.BEGIN_GIVEN -> result.beginField(code[at + 1], given.position(position));
      case Program.END_GIVEN -> result.endField(code[at + 1], given.position(position));
      case Program.WRITE -> {
        given.flush(position);
        given.write(program.constant(code[at + 1]), result);
      }
      case Program.ARRANGE -> {
        given.flush(position);
        given.arrange(program.arrangement(code[at + 1]), result);
      }
      case Program.ARRANGE_SOURCE ->
          given.arrangeSource(program.arrangement(code[at + 1]), position, result);
      case Program.REWRITE_ENUM -> {
        given.flush(position);
        rewriteEnum(at);
        given.keepFrom(cursor.position());
        return at + 2 + code[at + 1];
      }
      case Program.REWRITE_UNION -> {
        given.flush(position);
        unionAt = position;
        int branch = cursor.readIndex(code[at + 1], "union", "branches");
        given.keepFrom(cursor.position());
        return code[at + 2 + branch];
      }
      default -> {
        runWithoutOperands(at, position);
        return at + 1;
      }
    }
    return at + 2;
  }

  /** Does an instruction without operands. */
  private void runWithoutOperands(int at, int position) throws MalformedDatumException {
    switch (code[at]) {
      case Program.DROP -> given.flush(position);
      case Program.KEEP -> given.keepFrom(position);
      case Program.MARK -> given.mark(given.position(position));
      case Program.MARK_SOURCE -> given.mark(position);
      case Program.REFUSE -> throw unresolvable(unionAt, program.words(at, 0));
      default -> {
        given.flush(position);
        promote(at);
        given.keepFrom(cursor.position());
      }
    }
  }

  private void promote(int at) throws MalformedDatumException {
    switch (code[at]) {
      case Program.INT_TO_FLOAT -> given.writeFloat((float) cursor.readInt());
      case Program.INT_TO_DOUBLE -> given.writeDouble(cursor.readInt());
      case Program.LONG_TO_FLOAT -> given.writeFloat((float) cursor.readLong());
      case Program.LONG_TO_DOUBLE -> given.writeDouble((double) cursor.readLong());
      case Program.FLOAT_TO_DOUBLE -> given.writeDouble(cursor.readFloat());
      default -> throw new IllegalStateException("no instruction " + code[at] + " at " + at);
    }
  }

  private void rewriteEnum(int at) throws MalformedDatumException {
    int before = cursor.position();
    int symbol = cursor.readIndex(code[at + 1], "enum", "symbols");
    int index = code[at + 2 + symbol];
    if (index == Symbol.NONE) {
      throw unresolvable(
          before, "enum holds " + program.words(at, symbol) + ", which the table's enum lacks");
    }
    given.writeCount(index);
  }

  private UnresolvableDatumException unresolvable(int position, String problem) {
    return new UnresolvableDatumException((long) position - datumStart, "", problem);
  }
}
