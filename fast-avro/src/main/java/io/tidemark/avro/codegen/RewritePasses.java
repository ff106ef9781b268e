package io.tidemark.avro.codegen;

import io.tidemark.avro.codegen.EmitStep.BeginField;
import io.tidemark.avro.codegen.EmitStep.Converted;
import io.tidemark.avro.codegen.EmitStep.Copy;
import io.tidemark.avro.codegen.EmitStep.EmitConstant;
import io.tidemark.avro.codegen.EmitStep.EndField;
import io.tidemark.avro.codegen.EmitStep.Rewrite;
import io.tidemark.avro.codegen.WalkStep.Note;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.step.Constant;
import io.tidemark.avro.plan.step.PlanStep;
import io.tidemark.avro.plan.step.PlanStep.Added;
import io.tidemark.avro.plan.step.PlanStep.Capture;
import io.tidemark.avro.plan.step.PlanStep.Convert;
import io.tidemark.avro.plan.step.PlanStep.Drop;
import io.tidemark.avro.plan.step.PlanStep.Moved;
import io.tidemark.avro.plan.step.PlanStep.Part;
import io.tidemark.avro.plan.step.PlanStep.RewriteRecord;
import io.tidemark.avro.plan.step.PlanStep.Write;
import io.tidemark.avro.plan.step.PlanStep.WriteIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The two passes that convert a record. The first walks through its values, checks them and notes
 * their positions. The second emits the result from there, in any order.
 *
 * @param walk the first pass, in the writer's order
 * @param emit the second pass, in the reader's order, with neighbours that copy joined; empty if
 *     the plan copies
 * @param places the number of positions that the walk notes: two for each captured field of the
 *     plan, then one for each position that is used
 */
record RewritePasses(List<WalkStep> walk, List<EmitStep> emit, int places) {
  RewritePasses {
    walk = List.copyOf(walk);
    emit = List.copyOf(emit);
  }

  /**
   * Creates the passes of a step.
   *
   * @param walked the number of fields of a record, all dropped, that were walked through before
   */
  static RewritePasses of(PlanStep step, Plan plan, WalkSteps walkSteps, int walked) {
    var builder = new Builder(plan, walkSteps, walked);
    var emit = new ArrayList<EmitStep>();
    builder.add(step, emit);
    return builder.passes(emit);
  }

  private static final class Builder {
    private final Plan plan;
    private final WalkSteps walkSteps;
    private final int firstPlace;
    private final List<WalkStep> walk = new ArrayList<>();
    private int next;
    private int walked;

    Builder(Plan plan, WalkSteps walkSteps, int walked) {
      this.plan = plan;
      this.walkSteps = walkSteps;
      this.walked = walked;
      firstPlace = 2 * plan.fieldPaths().size();
      next = firstPlace;
    }

    void add(PlanStep step, List<EmitStep> emit) {
      if (plan.steps().copies(step)) {
        int from = position();
        walkSteps.add(step, walk);
        append(emit, new Copy(from, position(), WalkSteps.captured(step)));
      } else if (step instanceof RewriteRecord record) {
        addRecord(record, emit);
      } else if (step instanceof Drop drop) {
        walkSteps.add(drop.step(), walk);
      } else if (step instanceof Write) {
        emit.add(new EmitConstant(Constant.of(step, plan.steps())));
      } else if (step instanceof WriteIndex index) {
        var alone = new WriteIndex(index.branch(), new Write(List.of()));
        emit.add(new EmitConstant(Constant.of(alone, plan.steps())));
        add(index.step(), emit);
      } else if (step instanceof Capture capture) {
        emit.add(new BeginField(capture.field()));
        add(capture.step(), emit);
        emit.add(new EndField(capture.field()));
      } else if (step instanceof Convert convert) {
        int from = position();
        walkSteps.add(convert.source(), walk);
        emit.add(new Converted(convert.conversion(), from, position()));
      } else {
        emit.add(new Rewrite(step, position()));
        walkSteps.add(step, walk);
      }
    }

    private void addRecord(RewriteRecord record, List<EmitStep> emit) {
      var fields = new ArrayList<List<EmitStep>>();
      for (PlanStep.Field field : record.source()) {
        var emitted = new ArrayList<EmitStep>();
        fields.add(emitted);
        if (walked > 0) {
          walked--;
        } else {
          add(field.step(), emitted);
        }
      }
      for (Part part : record.table()) {
        if (part instanceof Moved moved) {
          fields.get(moved.source()).forEach(step -> append(emit, step));
        } else {
          emit.add(new EmitConstant(Constant.of(((Added) part).step(), plan.steps())));
        }
      }
    }

    private static void append(List<EmitStep> emit, EmitStep step) {
      int last = emit.size() - 1;
      if (last >= 0
          && emit.get(last) instanceof Copy before
          && step instanceof Copy copy
          && before.to() == copy.from()) {
        var fields = new ArrayList<>(before.fields());
        fields.addAll(copy.fields());
        emit.set(last, new Copy(before.from(), copy.to(), fields));
      } else {
        emit.add(step);
      }
    }

    /** Returns the place for the walk's position. */
    private int position() {
      int last = walk.size() - 1;
      if (last >= 0 && walk.get(last) instanceof Note note && note.place() >= firstPlace) {
        return note.place();
      }
      walk.add(new Note(next));
      return next++;
    }

    /** Returns the passes without the positions that nothing uses. */
    RewritePasses passes(List<EmitStep> emit) {
      var used = new TreeSet<Integer>();
      for (EmitStep step : emit) {
        if (step instanceof Copy copy) {
          used.add(copy.from());
          used.add(copy.to());
        } else if (step instanceof Converted converted) {
          used.add(converted.from());
          used.add(converted.to());
        } else if (step instanceof Rewrite rewrite) {
          used.add(rewrite.at());
        }
      }
      var places = new int[next];
      int place = firstPlace;
      for (int position : used) {
        places[position] = place++;
      }
      var steps = new ArrayList<WalkStep>();
      for (WalkStep step : walk) {
        if (!(step instanceof Note note) || note.place() < firstPlace) {
          steps.add(step);
        } else if (used.contains(note.place())) {
          steps.add(new Note(places[note.place()]));
        }
      }
      return new RewritePasses(
          steps, emit.stream().map(step -> placed(step, places)).toList(), place);
    }

    private static EmitStep placed(EmitStep step, int[] places) {
      if (step instanceof Copy copy) {
        return new Copy(places[copy.from()], places[copy.to()], copy.fields());
      }
      if (step instanceof Converted converted) {
        return new Converted(
            converted.conversion(), places[converted.from()], places[converted.to()]);
      }
      return step instanceof Rewrite rewrite
          ? new Rewrite(rewrite.step(), places[rewrite.at()])
          : step;
    }
  }
}
