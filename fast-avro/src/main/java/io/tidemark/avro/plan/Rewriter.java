package io.tidemark.avro.plan;

import io.tidemark.avro.binary.BinaryCursor;
import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.plan.step.Conversion;
import io.tidemark.avro.plan.step.DecimalBytes;
import io.tidemark.avro.plan.step.ExactNumber;
import io.tidemark.avro.plan.step.PlanStep.Symbol;

/**
 * Runs the instructions of a program whose output differs from their input, for a {@link Walker}.
 * The levels of arrays and maps are the walker's. Not thread-safe.
 */
final class Rewriter {
  private final Program program;
  private final int[] code;
  private final BinaryCursor cursor;
  private final EmittedBytes emitted;

  private byte[] source = new byte[0];
  private int datumStart;

  /** The index of the last union instruction that was run. */
  private int unionAt;

  /** The position from which values are looked at. */
  private int aheadFrom;

  Rewriter(Program program, BinaryCursor cursor, EmittedBytes emitted) {
    this.program = program;
    this.code = program.code();
    this.cursor = cursor;
    this.emitted = emitted;
  }

  void begin(byte[] bytes, int offset, int length) {
    source = bytes;
    datumStart = offset;
    emitted.begin(bytes, offset, length);
  }

  /**
   * Runs an instruction at the cursor's position, and returns the index of the next one. The cursor
   * is then after the bytes that were taken.
   */
  int run(int at, TableDatum result) throws MalformedDatumException {
    int position = cursor.position();
    switch (code[at]) {
      case Program.BEGIN_EMITTED -> result.beginField(code[at + 1], emitted.position(position));
      case Program.END_EMITTED -> result.endField(code[at + 1], emitted.position(position));
      case Program.WRITE -> {
        emitted.flush(position);
        emitted.write(program.constant(code[at + 1]), result);
      }
      case Program.ARRANGE -> {
        emitted.flush(position);
        emitted.arrange(program.arrangement(code[at + 1]), result);
      }
      case Program.ARRANGE_SOURCE ->
          emitted.arrangeSource(program.arrangement(code[at + 1]), position, result);
      case Program.CONVERT -> {
        int from = emitted.runStart();
        Conversion conversion = program.conversion(code[at + 1]);
        if (!emitted.convert(conversion, from, position)) {
          throw unresolvable(from, conversion.problem(source, from, position));
        }
        emitted.keepFrom(position);
      }
      case Program.DECIMAL_TEXT -> {
        emitted.flush(position);
        int length = cursor.readLength();
        byte[] text = DecimalBytes.text(source, cursor.position(), length, code[at + 1]);
        if (text.length == 0) {
          throw unresolvable(position, "a decimal of " + length + " bytes has no text");
        }
        emitted.writeCount(text.length);
        emitted.write(text, 1);
        cursor.skip(length);
        emitted.keepFrom(cursor.position());
      }
      case Program.REWRITE_ENUM -> {
        emitted.flush(position);
        rewriteEnum(at);
        emitted.keepFrom(cursor.position());
        return at + 2 + code[at + 1];
      }
      case Program.REWRITE_UNION -> {
        emitted.flush(position);
        unionAt = position;
        int branch = cursor.readIndex(code[at + 1], "union", "branches");
        emitted.keepFrom(cursor.position());
        return code[at + 2 + branch];
      }
      case Program.CHOOSE -> {
        unionAt = position;
        int branch = cursor.readIndex(code[at + 1], "union", "branches");
        cursor.position(aheadFrom);
        emitted.keepFrom(aheadFrom);
        return code[at + 2 + branch];
      }
      default -> {
        runWithoutOperands(at, position);
        return at + 1;
      }
    }
    return at + 2;
  }

  /** Runs an instruction without operands. */
  private void runWithoutOperands(int at, int position) throws MalformedDatumException {
    switch (code[at]) {
      case Program.DROP -> emitted.flush(position);
      case Program.AHEAD -> {
        emitted.flush(position);
        aheadFrom = position;
      }
      case Program.KEEP -> emitted.keepFrom(position);
      case Program.MARK -> emitted.mark(emitted.position(position));
      case Program.MARK_SOURCE -> emitted.mark(position);
      case Program.REFUSE -> throw unresolvable(unionAt, program.words(at, 0));
      default -> {
        emitted.flush(position);
        promote(at);
        emitted.keepFrom(cursor.position());
      }
    }
  }

  private void promote(int at) throws MalformedDatumException {
    int before = cursor.position();
    switch (code[at]) {
      case Program.INT_TO_FLOAT -> emitted.writeFloat(exactFloat(before, "int", cursor.readInt()));
      case Program.INT_TO_DOUBLE -> emitted.writeDouble(cursor.readInt());
      case Program.LONG_TO_FLOAT ->
          emitted.writeFloat(exactFloat(before, "long", cursor.readLong()));
      case Program.LONG_TO_DOUBLE -> emitted.writeDouble(exactDouble(before, cursor.readLong()));
      case Program.FLOAT_TO_DOUBLE -> emitted.writeDouble(cursor.readFloat());
      default -> throw new IllegalStateException("no instruction " + code[at] + " at " + at);
    }
  }

  private float exactFloat(int position, String type, long number)
      throws UnresolvableDatumException {
    if (!ExactNumber.isFloat(number)) {
      throw unresolvable(position, type + " " + number + " cannot be converted to float exactly");
    }
    return (float) number;
  }

  private double exactDouble(int position, long number) throws UnresolvableDatumException {
    if (!ExactNumber.isDouble(number)) {
      throw unresolvable(position, "long " + number + " cannot be converted to double exactly");
    }
    return (double) number;
  }

  private void rewriteEnum(int at) throws MalformedDatumException {
    int before = cursor.position();
    int symbol = cursor.readIndex(code[at + 1], "enum", "symbols");
    int index = code[at + 2 + symbol];
    if (index == Symbol.NONE) {
      throw unresolvable(
          before, "enum symbol " + program.words(at, symbol) + " is missing in the reader's enum");
    }
    emitted.writeCount(index);
  }

  private UnresolvableDatumException unresolvable(int position, String problem) {
    return new UnresolvableDatumException((long) position - datumStart, "", problem);
  }
}
