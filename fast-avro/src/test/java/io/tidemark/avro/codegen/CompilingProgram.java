package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.Planner;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.avro.SchemaBuilder;

/** A program that compiles one plan, with a directory for classes, and returns its statistics. */
public final class CompilingProgram implements UnaryOperator<String> {

  static Plan plan() {
    return Planner.plan(
        SchemaBuilder.record("Quote")
            .fields()
            .requiredString("symbol")
            .requiredInt("size")
            .endRecord(),
        SchemaBuilder.record("Quote")
            .fields()
            .requiredDouble("size")
            .requiredString("symbol")
            .name("venue")
            .type()
            .stringType()
            .stringDefault("XETR")
            .endRecord(),
        List.of("venue"));
  }

  @Override
  public String apply(String directory) {
    var plans =
        new CompiledPlans(Runnable::run, 1, CompilerOptions.NONE.withCache(Path.of(directory), 8));
    plans.runner(plan());
    return plans.statistics().toString();
  }
}
