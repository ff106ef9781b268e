package io.tidemark.avro.codegen;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.PlanInterpreter;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatums;

/**
 * Runs a plan by its generated class, several datums at a time. The interpreter runs the plan until
 * the class is ready, and later the datums on which the class falls back. It reports their errors.
 *
 * <p>Not thread-safe.
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
   * @param count the number of datums, as returned by {@link Lanes#together}
   * @return the number of appended datums: all before the first on which the class falls back, or 0
   */
  abstract int runSome(Kernel kernel, SourceDatums source, int from, int count, TableDatums target);
}
