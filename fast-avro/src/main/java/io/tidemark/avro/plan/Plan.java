package io.tidemark.avro.plan;

import io.tidemark.avro.plan.step.StepTree;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * The steps that convert a datum from a writer schema to a reader schema, and the fields whose
 * positions in the converted datum are returned.
 *
 * <p>Immutable, and safe for use by many threads. Create a plan with {@link Planner}, and run it
 * with a {@link PlanRunner} or {@link BatchRunner}.
 *
 * @param writerSchema the schema that the datum was written with
 * @param tableSchema the reader schema
 * @param fieldPaths dotted names of fields in the reader schema. {@link TableDatum} returns the
 *     position of each of these fields by its index in this list
 * @param steps the steps, internal to the library; {@link #toString()} shows them
 * @param mapping the rules that changed the writer schema before it was resolved; empty if none
 */
public record Plan(
    Schema writerSchema,
    Schema tableSchema,
    List<String> fieldPaths,
    StepTree steps,
    String mapping) {

  public Plan {
    fieldPaths = List.copyOf(fieldPaths);
  }

  Plan(Schema writerSchema, Schema tableSchema, List<String> fieldPaths, StepTree steps) {
    this(writerSchema, tableSchema, fieldPaths, steps, "");
  }

  /** Returns whether this plan only validates datums and copies them, without conversion. */
  public boolean copies() {
    return steps.copies();
  }

  /**
   * Returns the first reason why some datums cannot be converted: a branch of a union or a symbol
   * that the reader schema lacks. Numbers that would be rounded do not count.
   */
  public Optional<String> unresolvable() {
    return steps.unresolvable();
  }

  /** Returns the estimated heap of the steps, in bytes. */
  public long weight() {
    return steps.weight();
  }

  /** Returns the plan as an indented text with one line for each step. */
  @Override
  public String toString() {
    return PlanPrinter.print(this);
  }
}
