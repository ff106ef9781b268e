package io.tidemark.avro.plan.step;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Finds the steps of a plan that take no bytes, and those that emit none.
 *
 * <p>Nested empty records can be combined in exponentially many ways, so each is visited once. Used
 * by one thread.
 */
public final class EmptySteps {
  private final StepTree plan;
  private final Map<String, Boolean> taking = new HashMap<>();
  private final Map<String, Boolean> emitting = new HashMap<>();

  public EmptySteps(StepTree plan) {
    this.plan = plan;
  }

  /**
   * Returns whether the step never takes a byte. For a record that contains itself this is false:
   * it has no finite value.
   */
  public boolean takesNothing(PlanStep step) {
    if (step instanceof PlanStep.RewriteRecord record) {
      return record.source().stream().allMatch(field -> takesNothing(field.step()));
    }
    if (step instanceof PlanStep.Drop drop) {
      return takesNothing(drop.step());
    }
    if (step instanceof PlanStep.Convert convert) {
      return takesNothing(convert.source());
    }
    if (step instanceof PlanStep.WriteIndex index) {
      return takesNothing(index.step());
    }
    return step instanceof PlanStep.Write || isEmpty(step, this::takesNothing, taking);
  }

  /** Returns whether the step never emits a byte. */
  public boolean emitsNothing(PlanStep step) {
    if (step instanceof PlanStep.RewriteRecord record) {
      return record.table().stream().allMatch(part -> emitsNothing(emitted(record, part)));
    }
    if (step instanceof PlanStep.RewriteUnion union) {
      return union.branches().stream().allMatch(this::emitsNothing);
    }
    return step instanceof PlanStep.Drop
        || step instanceof PlanStep.Unresolvable
        || (step instanceof PlanStep.Write write && write.bytes().isEmpty())
        || isEmpty(step, this::emitsNothing, emitting);
  }

  private static PlanStep emitted(PlanStep.RewriteRecord record, PlanStep.Part part) {
    return part instanceof PlanStep.Moved moved
        ? record.source().get(moved.source()).step()
        : ((PlanStep.Added) part).step();
  }

  private boolean isEmpty(PlanStep step, Predicate<PlanStep> isEmpty, Map<String, Boolean> known) {
    if (step instanceof PlanStep.Skip skip) {
      return skip.bytes() == 0;
    }
    if (step instanceof PlanStep.Capture capture) {
      return isEmpty.test(capture.step());
    }
    if (step instanceof PlanStep.CheckRecord record) {
      return record.fields().stream().allMatch(field -> isEmpty.test(field.step()));
    }
    if (step instanceof PlanStep.Call call) {
      Boolean before = known.putIfAbsent(call.record(), false);
      if (before != null) {
        return before;
      }
      PlanStep record = plan.definitions().get(call.record());
      boolean result = record != null && isEmpty.test(record);
      known.put(call.record(), result);
      return result;
    }
    return false;
  }
}
