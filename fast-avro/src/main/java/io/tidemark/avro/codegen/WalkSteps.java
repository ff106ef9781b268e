package io.tidemark.avro.codegen;

import io.tidemark.avro.codegen.WalkStep.Note;
import io.tidemark.avro.codegen.WalkStep.Take;
import io.tidemark.avro.plan.step.EmptySteps;
import io.tidemark.avro.plan.step.PlanStep;
import io.tidemark.avro.plan.step.PlanStep.Call;
import io.tidemark.avro.plan.step.PlanStep.Capture;
import io.tidemark.avro.plan.step.PlanStep.CheckRecord;
import io.tidemark.avro.plan.step.PlanStep.CheckUnion;
import io.tidemark.avro.plan.step.PlanStep.Drop;
import io.tidemark.avro.plan.step.PlanStep.RewriteRecord;
import io.tidemark.avro.plan.step.PlanStep.Skip;
import io.tidemark.avro.plan.step.PlanStep.WriteIndex;
import io.tidemark.avro.plan.step.StepTree;
import java.util.ArrayList;
import java.util.List;

/** Flattens a plan's steps. Used by one thread. */
final class WalkSteps {
  private final StepTree plan;
  private final EmptySteps empty;

  WalkSteps(StepTree plan) {
    this.plan = plan;
    empty = new EmptySteps(plan);
  }

  /** Returns the step of a record that the plan defines. */
  PlanStep definition(Call call) {
    PlanStep step = plan.definitions().get(call.record());
    if (step == null) {
      throw new IllegalArgumentException(
          "the plan calls " + call.record() + " but does not define it");
    }
    return step;
  }

  List<WalkStep> of(PlanStep step) {
    var steps = new ArrayList<WalkStep>();
    add(step, steps);
    return steps;
  }

  /** Adds the walk of a step to a list. */
  void add(PlanStep step, List<WalkStep> steps) {
    if (step instanceof CheckRecord check) {
      check.fields().forEach(field -> add(field.step(), steps));
    } else if (step instanceof Capture capture) {
      steps.add(new Note(2 * capture.field()));
      add(capture.step(), steps);
      steps.add(new Note(2 * capture.field() + 1));
    } else if (step instanceof Skip skip) {
      addSkip(skip, steps);
    } else if (step instanceof RewriteRecord record) {
      record.source().forEach(field -> add(field.step(), steps));
    } else if (step instanceof Drop drop) {
      add(drop.step(), steps);
    } else if (step instanceof WriteIndex index) {
      add(index.step(), steps);
    } else if (step instanceof PlanStep.Convert convert) {
      add(convert.source(), steps);
    } else if (!empty.takesNothing(step)) {
      steps.add(new Take(step));
    }
  }

  /** Returns the fields that are captured in a copying step; called records capture no field. */
  static List<Integer> captured(PlanStep step) {
    var fields = new ArrayList<Integer>();
    addCaptured(step, fields);
    return fields;
  }

  private static void addCaptured(PlanStep step, List<Integer> fields) {
    if (step instanceof Capture capture) {
      fields.add(capture.field());
      addCaptured(capture.step(), fields);
    } else if (step instanceof CheckRecord record) {
      record.fields().forEach(field -> addCaptured(field.step(), fields));
    } else if (step instanceof CheckUnion union) {
      union.branches().forEach(branch -> addCaptured(branch, fields));
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

  /** Returns whether every value of a step emits no bytes. */
  boolean emitsNothing(PlanStep step) {
    return empty.emitsNothing(step);
  }

  /** Returns whether every value of a step takes no bytes. */
  boolean takesNothing(PlanStep step) {
    return empty.takesNothing(step);
  }
}
