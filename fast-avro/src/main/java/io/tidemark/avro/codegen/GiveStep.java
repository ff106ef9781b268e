package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.Constant;
import io.tidemark.avro.plan.PlanStep;
import java.util.List;

/** A step of what a {@link Passage} gives when its walk is done. */
sealed interface GiveStep {

  /**
   * Gives the bytes between two noted positions, of values that copy.
   *
   * @param fields the captured fields in them
   */
  record Copy(int from, int to, List<Integer> fields) implements GiveStep {
    public Copy {
      fields = List.copyOf(fields);
    }
  }

  /** Gives what was known when planned. */
  record Give(Constant constant) implements GiveStep {}

  /** Gives what a plan's step makes of the value at a noted position. */
  record Rewrite(PlanStep step, int at) implements GiveStep {}

  /** Tells where a captured field begins. */
  record BeginField(int field) implements GiveStep {}

  /** Tells where a captured field ends. */
  record EndField(int field) implements GiveStep {}
}
