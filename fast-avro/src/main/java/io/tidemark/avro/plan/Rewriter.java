package io.tidemark.avro.plan;

import io.tidemark.avro.binary.BinaryCursor;
import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.plan.step.Conversion;

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
      case Program.REFUSE -> throw unresolvable(unionAt, program.words(at));
      default -> throw new IllegalStateException("no instruction " + code[at] + " at " + at);
    }
  }

  private UnresolvableDatumException unresolvable(int position, String problem) {
    return new UnresolvableDatumException((long) position - datumStart, "", problem);
  }
}
