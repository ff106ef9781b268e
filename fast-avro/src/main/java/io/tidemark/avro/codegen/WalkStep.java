package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.step.PlanStep;

/**
 * A step of a walk through a datum, without nesting: records in place are replaced by their fields.
 */
sealed interface WalkStep {

  /** Takes the value that a plan's step takes. */
  record Take(PlanStep step) implements WalkStep {}

  /** Notes the position in a place. */
  record Note(int place) implements WalkStep {}
}
