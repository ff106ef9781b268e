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
 * How long it takes to make the class of a plan of 300 fields, in a JVM of its own: for the first
 * plan of the JVM, warmed up or not, and once it has made others.
 */
public final class PlanCompilation {
  /** The argument for a JVM that is warmed up. */
  public static final String WARM_UP = "--warm-up";

  private static final int OTHERS = 20;
  private static final int MEASURED = 11;

  private PlanCompilation() {}

  /**
   * Prints both in nanoseconds, with a space between them.
   *
   * @param arguments {@code --warm-up} to begin with {@link CompiledPlans#warmUp}, as the connector
   *     does when a task starts
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

  /** Each plan has a record of another name, so that none shares its class. */
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
