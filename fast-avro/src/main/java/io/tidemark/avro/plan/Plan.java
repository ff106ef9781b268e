package io.tidemark.avro.plan;

import io.tidemark.avro.plan.step.StepTree;
import java.util.List;
import org.apache.avro.Schema;

/**
 * How a datum of a writer schema becomes one of a table schema, and which fields are found on the
 * way.
 *
 * <p>A value, made by a {@link Planner}, run by a {@link PlanRunner}, and safe for use by several
 * threads.
 *
 * @param writerSchema the schema that the datum was written with
 * @param tableSchema the schema of the table's files
 * @param fieldPaths dotted names, in the table's schema, of the fields that {@link TableDatum}
 *     tells by their place in this list
 * @param steps what a runner does, internal to the library; {@link #toString()} shows it
 */
public record Plan(
    Schema writerSchema, Schema tableSchema, List<String> fieldPaths, StepTree steps) {

  public Plan {
    fieldPaths = List.copyOf(fieldPaths);
  }

  /** Whether a datum keeps its bytes: it is checked and copied. */
  public boolean copies() {
    return steps.copies();
  }

  /** The plan as an indented text of a line for each step. */
  @Override
  public String toString() {
    return PlanPrinter.print(this);
  }
}
