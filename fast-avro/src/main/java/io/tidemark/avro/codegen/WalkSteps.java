package io.tidemark.avro.codegen;

import io.tidemark.avro.codegen.WalkStep.Note;
import io.tidemark.avro.codegen.WalkStep.Take;
import io.tidemark.avro.plan.EmptySteps;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.PlanStep;
import io.tidemark.avro.plan.PlanStep.Capture;
import io.tidemark.avro.plan.PlanStep.CheckRecord;
import io.tidemark.avro.plan.PlanStep.Skip;
import java.util.ArrayList;
import java.util.List;

/** Lays a plan's steps out flat. Used by one thread. */
final class WalkSteps {
  private final Plan plan;
  private final EmptySteps empty;

  WalkSteps(Plan plan) {
    this.plan = plan;
    empty = new EmptySteps(plan);
  }

  /** The steps of a record that the plan defines. */
  List<WalkStep> ofRecord(String name) {
    PlanStep step = plan.definitions().get(name);
    if (step == null) {
      throw new IllegalArgumentException("the plan calls " + name + " but does not define it");
    }
    return of(step);
  }

  List<WalkStep> of(PlanStep step) {
    var steps = new ArrayList<WalkStep>();
    add(step, steps);
    return steps;
  }

  private void add(PlanStep step, List<WalkStep> steps) {
    if (step instanceof CheckRecord check) {
      check.fields().forEach(field -> add(field.step(), steps));
    } else if (step instanceof Capture capture) {
      steps.add(new Note(2 * capture.field()));
      add(capture.step(), steps);
      steps.add(new Note(2 * capture.field() + 1));
    } else if (step instanceof Skip skip) {
      addSkip(skip, steps);
    } else if (!empty.takesNothing(step)) {
      steps.add(new Take(step));
    }
  }

  private static void addSkip(Skip skip, List<WalkStep> steps) {
    int last = steps.size() - 1;
    if (last >= 0
        && steps.get(last) instanceof Take take
        && take.step() instanceof Skip before
        && before.bytes() <= Integer.MAX_VALUE - skip.bytes()) {
      steps.set(last, new Take(new Skip(before.bytes() + skip.bytes())));
    } else if (skip.bytes() > 0) {
      steps.add(new Take(skip));
    }
  }

  /** Whether every value of a step takes no bytes. */
  boolean takesNothing(PlanStep step) {
    return empty.takesNothing(step);
  }
}
