package io.tidemark.avro.codegen;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.PlanInterpreter;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatums;

/**
 * Runs a plan by its class, several datums at a time; by the interpreter until the class is made,
 * and over datums that the class is in doubt of: it tells what is wrong with them, if anything is.
 *
 * <p>Datums are first copied to where they are to stay and walked through there, so that their
 * bytes are fetched once, in order, and all lanes are in one array. Not safe for use by several
 * threads.
 */
final class LaneRunner implements BatchRunner {
  private static final int LANES = Kernel.LANES;

  private final CompiledPlan compiled;
  private final PlanInterpreter interpreter;
  private final int fields;
  private final long[] lanes = new long[LANES];
  private final int[] ends = new int[LANES];

  LaneRunner(Plan plan, CompiledPlan compiled) {
    this.compiled = compiled;
    interpreter = new PlanInterpreter(plan);
    fields = plan.fieldPaths().size();
  }

  @Override
  public void run(SourceDatums source, int from, int to, TableDatums target)
      throws MalformedDatumException {
    Kernel kernel = compiled.kernel();
    target.beginRun(fields);
    int next = from;
    if (kernel != null) {
      for (; next + LANES <= to; next += LANES) {
        if (!walkAll(kernel, source, next, target)) {
          interpreter.append(source, next, next + LANES, target);
        }
      }
      for (; next < to; next++) {
        if (!walk(kernel, source, next, target)) {
          interpreter.append(source, next, next + 1, target);
        }
      }
    }
    interpreter.append(source, next, to, target);
  }

  private boolean walkAll(Kernel kernel, SourceDatums source, int from, TableDatums target) {
    int begin = target.size();
    int end = begin;
    for (int i = 0; i < LANES; i++) {
      lanes[i] = end;
      end = Math.addExact(end, source.length(from + i));
      ends[i] = end;
    }
    byte[] bytes = target.reserve(end - begin);
    for (int i = 0; i < LANES; i++) {
      System.arraycopy(
          source.bytes(from + i),
          source.offset(from + i),
          bytes,
          (int) lanes[i],
          source.length(from + i));
    }
    int[] notes = target.reserveFields(LANES);
    try {
      kernel.walkAll(bytes, lanes, notes, target.nextFields());
    } catch (IndexOutOfBoundsException e) {
      // A malformed length led beyond the array.
      return false;
    }
    int off = 0;
    for (int i = 0; i < LANES; i++) {
      off |= Lane.distance(lanes[i], ends[i]);
    }
    if (off != 0) {
      return false;
    }
    for (int i = 0; i < LANES; i++) {
      target.add(ends[i]);
    }
    return true;
  }

  private boolean walk(Kernel kernel, SourceDatums source, int datum, TableDatums target) {
    int begin = target.size();
    int length = source.length(datum);
    byte[] bytes = target.reserve(length);
    System.arraycopy(source.bytes(datum), source.offset(datum), bytes, begin, length);
    int[] notes = target.reserveFields(1);
    long lane;
    try {
      lane = kernel.walk(bytes, begin, notes, target.nextFields(), 0);
    } catch (IndexOutOfBoundsException e) {
      // A malformed length led beyond the array.
      return false;
    }
    if (Lane.distance(lane, begin + length) != 0) {
      return false;
    }
    target.add(begin + length);
    return true;
  }
}
