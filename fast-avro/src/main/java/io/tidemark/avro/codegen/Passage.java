package io.tidemark.avro.codegen;

import io.tidemark.avro.codegen.GiveStep.BeginField;
import io.tidemark.avro.codegen.GiveStep.Copy;
import io.tidemark.avro.codegen.GiveStep.EndField;
import io.tidemark.avro.codegen.GiveStep.Give;
import io.tidemark.avro.codegen.GiveStep.Rewrite;
import io.tidemark.avro.codegen.WalkStep.Note;
import io.tidemark.avro.plan.Constant;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.PlanStep;
import io.tidemark.avro.plan.PlanStep.Added;
import io.tidemark.avro.plan.PlanStep.Capture;
import io.tidemark.avro.plan.PlanStep.Drop;
import io.tidemark.avro.plan.PlanStep.Moved;
import io.tidemark.avro.plan.PlanStep.Part;
import io.tidemark.avro.plan.PlanStep.RewriteRecord;
import io.tidemark.avro.plan.PlanStep.Write;
import io.tidemark.avro.plan.PlanStep.WriteIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * How a record is rewritten: first its values are walked through, which checks them and notes where
 * they stand; then the table's record is given from there, in whatever order.
 *
 * @param walk the walk, in the writer's order
 * @param give what is given, in the table's order; neighbours that copy are one
 * @param places how many places the walk notes in: two for each captured field of the plan, then
 *     one for each position that is used
 */
record Passage(List<WalkStep> walk, List<GiveStep> give, int places) {
  Passage {
    walk = List.copyOf(walk);
    give = List.copyOf(give);
  }

  static Passage of(PlanStep step, Plan plan, WalkSteps walkSteps) {
    var builder = new Builder(plan, walkSteps);
    var give = new ArrayList<GiveStep>();
    builder.add(step, give);
    return builder.passage(give);
  }

  private static final class Builder {
    private final Plan plan;
    private final WalkSteps walkSteps;
    private final int firstPlace;
    private final List<WalkStep> walk = new ArrayList<>();
    private int next;

    Builder(Plan plan, WalkSteps walkSteps) {
      this.plan = plan;
      this.walkSteps = walkSteps;
      firstPlace = 2 * plan.fieldPaths().size();
      next = firstPlace;
    }

    void add(PlanStep step, List<GiveStep> give) {
      if (plan.copies(step)) {
        int from = position();
        walkSteps.add(step, walk);
        append(give, new Copy(from, position(), WalkSteps.captured(step)));
      } else if (step instanceof RewriteRecord record) {
        addRecord(record, give);
      } else if (step instanceof Drop drop) {
        walkSteps.add(drop.step(), walk);
      } else if (step instanceof Write) {
        give.add(new Give(Constant.of(step, plan)));
      } else if (step instanceof WriteIndex index) {
        var alone = new WriteIndex(index.branch(), new Write(List.of()));
        give.add(new Give(Constant.of(alone, plan)));
        add(index.step(), give);
      } else if (step instanceof Capture capture) {
        give.add(new BeginField(capture.field()));
        add(capture.step(), give);
        give.add(new EndField(capture.field()));
      } else {
        give.add(new Rewrite(step, position()));
        walkSteps.add(step, walk);
      }
    }

    private void addRecord(RewriteRecord record, List<GiveStep> give) {
      var fields = new ArrayList<List<GiveStep>>();
      for (PlanStep.Field field : record.source()) {
        var given = new ArrayList<GiveStep>();
        add(field.step(), given);
        fields.add(given);
      }
      for (Part part : record.table()) {
        if (part instanceof Moved moved) {
          fields.get(moved.source()).forEach(step -> append(give, step));
        } else {
          give.add(new Give(Constant.of(((Added) part).step(), plan)));
        }
      }
    }

    private static void append(List<GiveStep> give, GiveStep step) {
      int last = give.size() - 1;
      if (last >= 0
          && give.get(last) instanceof Copy before
          && step instanceof Copy copy
          && before.to() == copy.from()) {
        var fields = new ArrayList<>(before.fields());
        fields.addAll(copy.fields());
        give.set(last, new Copy(before.from(), copy.to(), fields));
      } else {
        give.add(step);
      }
    }

    /** The place of the walk's position. */
    private int position() {
      int last = walk.size() - 1;
      if (last >= 0 && walk.get(last) instanceof Note note && note.place() >= firstPlace) {
        return note.place();
      }
      walk.add(new Note(next));
      return next++;
    }

    /** Leaves out the positions that nothing uses. */
    Passage passage(List<GiveStep> give) {
      var used = new TreeSet<Integer>();
      for (GiveStep step : give) {
        if (step instanceof Copy copy) {
          used.add(copy.from());
          used.add(copy.to());
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
      return new Passage(steps, give.stream().map(step -> placed(step, places)).toList(), place);
    }

    private static GiveStep placed(GiveStep step, int[] places) {
      if (step instanceof Copy copy) {
        return new Copy(places[copy.from()], places[copy.to()], copy.fields());
      }
      return step instanceof Rewrite rewrite
          ? new Rewrite(rewrite.step(), places[rewrite.at()])
          : step;
    }
  }
}
