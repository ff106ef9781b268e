package io.tidemark.avro.codegen;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.PlanInterpreter;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatums;

/**
 * Runs a plan by its class, several datums at a time. The interpreter runs it until the class is
 * made, and then the datums on which the class falls back: it finds their fault, if they have one.
 *
 * <p>Not safe for use by several threads.
 */
abstract sealed class LaneRunner implements BatchRunner permits CopyingRunner, RewritingRunner {
  private final ClassCache.Entry<Kernel> compiled;
  private final PlanInterpreter interpreter;
  private final int fields;

  LaneRunner(Plan plan, ClassCache.Entry<Kernel> compiled) {
    this.compiled = compiled;
    interpreter = new PlanInterpreter(plan);
    fields = plan.fieldPaths().size();
  }

  @Override
  public final void run(SourceDatums source, int from, int to, TableDatums target)
      throws MalformedDatumException {
    Kernel kernel = compiled.made();
    target.beginRun(fields);
    int next = from;
    while (kernel != null && next < to) {
      int some = Lanes.together(to - next);
      int last = next + some;
      next += runSome(kernel, source, next, some, target);
      if (next < last) {
        interpreter.append(source, next, last, target);
        next = last;
      }
    }
    interpreter.append(source, next, to, target);
  }

  /**
   * Appends datums by the class.
   *
   * @param count as {@link Lanes#together} returns
   * @return how many were appended: all before the first on which the class falls back, or none
   */
  abstract int runSome(Kernel kernel, SourceDatums source, int from, int count, TableDatums target);
}
