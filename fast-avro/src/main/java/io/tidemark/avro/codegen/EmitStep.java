package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.step.Constant;
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

  /** Emits what was known when planned. */
  record EmitConstant(Constant constant) implements EmitStep {}

  /** Emits what a plan's step makes of the value at a noted position. */
  record Rewrite(PlanStep step, int at) implements EmitStep {}

  /** Tells where a captured field begins. */
  record BeginField(int field) implements EmitStep {}

  /** Tells where a captured field ends. */
  record EndField(int field) implements EmitStep {}
}
