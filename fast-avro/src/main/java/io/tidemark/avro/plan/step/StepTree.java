package io.tidemark.avro.plan.step;

import io.tidemark.avro.plan.step.PlanStep.Call;
import io.tidemark.avro.plan.step.PlanStep.Capture;
import io.tidemark.avro.plan.step.PlanStep.CheckArray;
import io.tidemark.avro.plan.step.PlanStep.CheckBoolean;
import io.tidemark.avro.plan.step.PlanStep.CheckBytes;
import io.tidemark.avro.plan.step.PlanStep.CheckEnum;
import io.tidemark.avro.plan.step.PlanStep.CheckInt;
import io.tidemark.avro.plan.step.PlanStep.CheckLong;
import io.tidemark.avro.plan.step.PlanStep.CheckMap;
import io.tidemark.avro.plan.step.PlanStep.CheckRecord;
import io.tidemark.avro.plan.step.PlanStep.CheckUnion;
import io.tidemark.avro.plan.step.PlanStep.Define;
import io.tidemark.avro.plan.step.PlanStep.Skip;
import java.util.Map;

/**
 * All steps of a plan. Immutable.
 *
 * @param root the step that takes the whole datum
 */
public record StepTree(PlanStep root) {

  /** Returns whether datums keep their bytes: they are only checked and copied. */
  public boolean copies() {
    return copies(start());
  }

  /** Returns the step that takes the whole datum, without the records that it defines. */
  public PlanStep start() {
    return root instanceof Define define ? define.step() : root;
  }

  /** Returns whether a step of this plan, with all steps in it, emits the bytes that it takes. */
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

  /** Returns the records that steps may call, by name. */
  public Map<String, PlanStep> definitions() {
    return root instanceof Define define ? define.records() : Map.of();
  }
}
