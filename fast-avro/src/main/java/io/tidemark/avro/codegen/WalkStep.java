package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.step.PlanStep;

/**
 * A step of a walk through a datum, laid out flat: records that stand in place are their fields.
 */
sealed interface WalkStep {

  /** Takes the value that a plan's step takes. */
  record Take(PlanStep step) implements WalkStep {}

  /** Notes the position in a place for it. */
  record Note(int place) implements WalkStep {}
}
