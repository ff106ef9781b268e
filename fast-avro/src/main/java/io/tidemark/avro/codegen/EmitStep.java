package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.step.Constant;
import io.tidemark.avro.plan.step.Conversion;
import io.tidemark.avro.plan.step.PlanStep;
import java.util.List;

/** A step of the second of the {@link RewritePasses}, which emits bytes. */
sealed interface EmitStep {

  /**
   * Emits the bytes between two noted positions, of values that copy.
   *
   * @param fields the captured fields in them
   */
  record Copy(int from, int to, List<Integer> fields) implements EmitStep {
    public Copy {
      fields = List.copyOf(fields);
    }
  }

  /** Converts the value between two noted positions. */
  record Converted(Conversion conversion, int from, int to) implements EmitStep {}

  /** Emits bytes that the planner knew. */
  record EmitConstant(Constant constant) implements EmitStep {}

  /** Converts the value at a noted position with a plan's step. */
  record Rewrite(PlanStep step, int at) implements EmitStep {}

  /** Notes the start of a captured field. */
  record BeginField(int field) implements EmitStep {}

  /** Notes the end of a captured field. */
  record EndField(int field) implements EmitStep {}
}
