package io.tidemark.benchmarks.contenders;

import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.avro.codegen.CompilerOptions;
import io.tidemark.avro.codegen.CompilerStatistics;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.Planner;
import io.tidemark.benchmarks.records.ReferenceRecord;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.Schema;

/**
 * Measures the compilation of a plan of 300 fields in a separate JVM: the first plan of the JVM,
 * with or without warm-up, and a plan after others.
 */
public final class PlanCompilation {
  /** The argument for a warm-up. */
  public static final String WARM_UP = "--warm-up";

  private static final int OTHERS = 20;
  private static final int MEASURED = 11;

  private PlanCompilation() {}

  /**
   * Prints both times in nanoseconds, separated by a space.
   *
   * @param arguments {@code --warm-up} to begin with {@link CompiledPlans#warmUp}, like the
   *     connector at the start of a task
   */
  public static void main(String[] arguments) {
    Schema schema = ReferenceRecord.named("Mix-300").writerSchema();
    if (List.of(arguments).contains(WARM_UP)) {
      new CompiledPlans(Runnable::run, 1, CompilerOptions.NONE).warmUp();
    }
    long first = compile(schema, 0);
    for (int i = 1; i <= OTHERS; i++) {
      compile(schema, i);
    }
    long[] later = new long[MEASURED];
    for (int i = 0; i < MEASURED; i++) {
      later[i] = compile(schema, OTHERS + 1 + i);
    }
    Arrays.sort(later);
    System.out.println(first + " " + later[MEASURED / 2]);
  }

  /** Compiles a plan. Each has a record with another name, so that no class is reused. */
  private static long compile(Schema schema, int number) {
    var fields =
        schema.getFields().stream().map(field -> new Schema.Field(field, field.schema())).toList();
    Schema renamed =
        Schema.createRecord("Mix" + number, null, "io.tidemark.benchmarks", false, fields);
    Plan plan = Planner.plan(renamed, renamed, List.of());
    var plans = new CompiledPlans(Runnable::run, 1, CompilerOptions.NONE);
    long start = System.nanoTime();
    plans.runner(plan);
    long nanos = System.nanoTime() - start;
    CompilerStatistics statistics = plans.statistics();
    if (statistics.compiled() != 1) {
      throw new IllegalStateException("Mix-300 is not compiled: " + statistics.lastFallBack());
    }
    return nanos;
  }
}
