package io.tidemark.avro.plan;

import io.tidemark.avro.plan.PlanStep.Call;
import io.tidemark.avro.plan.PlanStep.Capture;
import io.tidemark.avro.plan.PlanStep.CheckArray;
import io.tidemark.avro.plan.PlanStep.CheckBoolean;
import io.tidemark.avro.plan.PlanStep.CheckBytes;
import io.tidemark.avro.plan.PlanStep.CheckEnum;
import io.tidemark.avro.plan.PlanStep.CheckInt;
import io.tidemark.avro.plan.PlanStep.CheckLong;
import io.tidemark.avro.plan.PlanStep.CheckMap;
import io.tidemark.avro.plan.PlanStep.CheckRecord;
import io.tidemark.avro.plan.PlanStep.CheckUnion;
import io.tidemark.avro.plan.PlanStep.Define;
import io.tidemark.avro.plan.PlanStep.Skip;
import java.util.List;
import java.util.Map;
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
 * @param root the step that takes the whole datum
 */
public record Plan(
    Schema writerSchema, Schema tableSchema, List<String> fieldPaths, PlanStep root) {

  public Plan {
    fieldPaths = List.copyOf(fieldPaths);
  }

  /** Whether a datum keeps its bytes: it is checked and copied. */
  public boolean copies() {
    return copies(root instanceof Define define ? define.step() : root);
  }

  /** Whether a step of this plan emits the very bytes that it takes, as do those that it holds. */
  public boolean copies(PlanStep step) {
    if (step instanceof Capture capture) {
      return copies(capture.step());
    }
    if (step instanceof Call call) {
      return definitions().get(call.record()) instanceof CheckRecord;
    }
    return step instanceof Skip
        || step instanceof CheckBoolean
        || step instanceof CheckInt
        || step instanceof CheckLong
        || step instanceof CheckBytes
        || step instanceof CheckEnum
        || step instanceof CheckUnion
        || step instanceof CheckArray
        || step instanceof CheckMap
        || step instanceof CheckRecord;
  }

  /** The records that steps of this plan may call, by name. */
  public Map<String, PlanStep> definitions() {
    return root instanceof Define define ? define.records() : Map.of();
  }

  /** The plan as an indented text of a line for each step. */
  @Override
  public String toString() {
    return PlanPrinter.print(this);
  }
}
