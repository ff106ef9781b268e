package io.tidemark.avro.plan;

import io.tidemark.avro.plan.Arrangement.Filled;
import io.tidemark.avro.plan.Arrangement.Piece;
import io.tidemark.avro.plan.step.Constant;
import io.tidemark.avro.plan.step.EmptySteps;
import io.tidemark.avro.plan.step.PlanStep;
import io.tidemark.avro.plan.step.PlanStep.Added;
import io.tidemark.avro.plan.step.PlanStep.Ahead;
import io.tidemark.avro.plan.step.PlanStep.Capture;
import io.tidemark.avro.plan.step.PlanStep.CheckRecord;
import io.tidemark.avro.plan.step.PlanStep.CheckUnion;
import io.tidemark.avro.plan.step.PlanStep.Convert;
import io.tidemark.avro.plan.step.PlanStep.Drop;
import io.tidemark.avro.plan.step.PlanStep.Moved;
import io.tidemark.avro.plan.step.PlanStep.Part;
import io.tidemark.avro.plan.step.PlanStep.RewriteArray;
import io.tidemark.avro.plan.step.PlanStep.RewriteMap;
import io.tidemark.avro.plan.step.PlanStep.RewriteRecord;
import io.tidemark.avro.plan.step.PlanStep.RewriteUnion;
import io.tidemark.avro.plan.step.PlanStep.Unresolvable;
import io.tidemark.avro.plan.step.PlanStep.Write;
import io.tidemark.avro.plan.step.PlanStep.WriteIndex;
import io.tidemark.avro.plan.step.StepTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Adds the steps that convert, for a {@link ProgramLayout}. */
final class RewriteLayout {
  private final StepTree plan;
  private final EmptySteps empty;
  private final Assembler code;
  private final ProgramLayout steps;

  RewriteLayout(StepTree plan, EmptySteps empty, Assembler code, ProgramLayout steps) {
    this.plan = plan;
    this.empty = empty;
    this.code = code;
    this.steps = steps;
  }

  void add(PlanStep step, FieldPath path) {
    if (step instanceof Drop drop) {
      addDropped(drop, path);
    } else if (step instanceof Write) {
      addConstant(step, path);
    } else if (step instanceof WriteIndex index) {
      addConstant(new WriteIndex(index.branch(), new Write(List.of())), path);
      steps.add(index.step(), path);
    } else if (step instanceof Convert convert) {
      code.add(Program.DROP, path);
      steps.add(convert.source(), path);
      code.add(Program.CONVERT, path, code.conversion(convert.conversion()));
    } else if (step instanceof RewriteUnion union) {
      steps.addBranches(Program.REWRITE_UNION, union.branches(), path);
    } else if (step instanceof Ahead ahead) {
      code.add(Program.AHEAD, path);
      ahead.skipped().forEach(field -> steps.add(field.step(), path.field(field.name())));
      steps.addBranches(Program.CHOOSE, ahead.branches(), path);
    } else if (step instanceof Unresolvable unresolvable) {
      int at = code.add(Program.REFUSE, path);
      code.words(at, unresolvable.problem());
    } else if (step instanceof RewriteArray array) {
      addItems(array.items(), path, false);
    } else if (step instanceof RewriteMap map) {
      addItems(map.values(), path, true);
    } else if (step instanceof RewriteRecord record) {
      addRecord(record, path);
    } else {
      throw new IllegalArgumentException(
          step.getClass().getSimpleName() + " is only allowed at the root of a plan");
    }
  }

  /** Adds the bytes that steps emit which take no bytes. */
  void addConstant(PlanStep step, FieldPath path) {
    code.add(Program.WRITE, path, code.constant(Constant.of(step, plan)));
  }

  private void addDropped(Drop drop, FieldPath path) {
    if (!empty.takesNothing(drop)) {
      code.add(Program.DROP, path);
      steps.add(drop.step(), path);
      code.add(Program.KEEP, path);
    }
  }

  private void addItems(PlanStep item, FieldPath path, boolean keyed) {
    if (!keyed && empty.takesNothing(item)) {
      code.add(Program.REPEAT, path, code.constant(Constant.of(item, plan)));
      return;
    }
    int emptyItems = !keyed && empty.emitsNothing(item) ? 1 : 0;
    int items = code.add(Program.REWRITE_ITEMS, path, 0, emptyItems);
    steps.addItem(item, path, keyed);
    code.set(items + 1, code.label());
  }

  /** A range of the source's fields and a range of the reader record's parts. */
  private record Window(int source, int sourceEnd, int part, int partEnd) {}

  private void addRecord(RewriteRecord record, FieldPath path) {
    Window window = outOfOrder(record);
    addInOrder(record, 0, window.source, 0, window.part, path);
    if (window.part < window.partEnd) {
      addOutOfOrder(record, window, path);
    }
    addInOrder(
        record,
        window.sourceEnd,
        record.source().size(),
        window.partEnd,
        record.table().size(),
        path);
  }

  /** Returns the window without the fields at both ends that have the same order. */
  private static Window outOfOrder(RewriteRecord record) {
    List<PlanStep.Field> source = record.source();
    List<Part> table = record.table();
    int from = 0;
    int part = 0;
    while (from < source.size() || part < table.size()) {
      if (from < source.size() && source.get(from).step() instanceof Drop) {
        from++;
      } else if (part < table.size() && isAddedOr(table.get(part), from)) {
        from += table.get(part) instanceof Moved ? 1 : 0;
        part++;
      } else {
        break;
      }
    }
    int to = source.size();
    int partEnd = table.size();
    while (to > from || partEnd > part) {
      if (to > from && source.get(to - 1).step() instanceof Drop) {
        to--;
      } else if (partEnd > part && isAddedOr(table.get(partEnd - 1), to - 1)) {
        to -= table.get(partEnd - 1) instanceof Moved ? 1 : 0;
        partEnd--;
      } else {
        break;
      }
    }
    return new Window(from, to, part, partEnd);
  }

  private static boolean isAddedOr(Part part, int field) {
    return !(part instanceof Moved moved) || moved.source() == field;
  }

  private void addInOrder(
      RewriteRecord record, int source, int sourceEnd, int part, int partEnd, FieldPath path) {
    int from = source;
    int to = part;
    while (from < sourceEnd || to < partEnd) {
      if (to < partEnd && record.table().get(to) instanceof Added added) {
        addConstant(added.step(), path.field(added.name()));
        to++;
      } else {
        PlanStep.Field field = record.source().get(from++);
        steps.add(field.step(), path.field(field.name()));
        to += field.step() instanceof Drop ? 0 : 1;
      }
    }
  }

  /**
   * Adds fields that are not emitted in the order in which they are read. If all of them are copied
   * or dropped, they are checked first and then copied from the source. Otherwise each field is
   * converted when it is read, and all are put in order at the end.
   */
  private void addOutOfOrder(RewriteRecord record, Window window, FieldPath path) {
    List<PlanStep.Field> fields = record.source().subList(window.source, window.sourceEnd);
    boolean inSource =
        fields.stream().allMatch(f -> f.step() instanceof Drop || plan.copies(f.step()));
    List<Arrangement.Part> parts = parts(record, plan, window, inSource);
    List<Integer> boundaries = boundaries(parts, fields.size());
    int arrangement =
        code.arrangement(
            new Arrangement(
                boundaries.size(),
                parts.stream().map(part -> betweenMarks(part, boundaries)).toList()));
    if (inSource) {
      code.add(Program.DROP, path);
      steps.addInSource(() -> addPieces(fields, boundaries, path, true));
      code.add(Program.ARRANGE_SOURCE, path, arrangement);
    } else {
      addPieces(fields, boundaries, path, false);
      code.add(Program.ARRANGE, path, arrangement);
    }
  }

  private void addPieces(
      List<PlanStep.Field> fields, List<Integer> boundaries, FieldPath path, boolean inSource) {
    for (int i = 0; i < fields.size(); i++) {
      PlanStep.Field field = fields.get(i);
      FieldPath fieldPath = path.field(field.name());
      if (boundaries.contains(i)) {
        code.add(inSource ? Program.MARK_SOURCE : Program.MARK, fieldPath);
      }
      PlanStep step = field.step();
      steps.add(inSource && step instanceof Drop drop ? drop.step() : step, fieldPath);
    }
  }

  /** Returns the parts of the window, with pieces given by the indexes of fields. */
  private static List<Arrangement.Part> parts(
      RewriteRecord record, StepTree plan, Window window, boolean inSource) {
    var parts = new ArrayList<Arrangement.Part>();
    for (Part part : record.table().subList(window.part, window.partEnd)) {
      if (part instanceof Moved moved) {
        int from = moved.source() - window.source;
        var captured = new TreeSet<Integer>();
        addCaptured(record.source().get(moved.source()).step(), captured);
        var piece = new Piece(from, from + 1, List.copyOf(captured));
        if (parts.isEmpty() || !joins(parts, piece, record, window, inSource)) {
          parts.add(piece);
        }
      } else if (part instanceof Added added) {
        parts.add(new Filled(Constant.of(added.step(), plan)));
      }
    }
    return parts;
  }

  /** Returns the fields at which a piece begins or ends, except the end of the last field. */
  private static List<Integer> boundaries(List<Arrangement.Part> parts, int fields) {
    var boundaries = new TreeSet<Integer>();
    for (Arrangement.Part part : parts) {
      if (part instanceof Piece piece) {
        boundaries.add(piece.from());
        boundaries.add(piece.to());
      }
    }
    boundaries.remove(fields);
    return List.copyOf(boundaries);
  }

  /** Returns a part whose piece is given by the indexes of boundaries. */
  private static Arrangement.Part betweenMarks(Arrangement.Part part, List<Integer> boundaries) {
    if (!(part instanceof Piece piece)) {
      return part;
    }
    int to = boundaries.indexOf(piece.to());
    return new Piece(
        boundaries.indexOf(piece.from()), to < 0 ? boundaries.size() : to, piece.fields());
  }

  /**
   * Joins a piece to the last piece if it follows that piece in the source. Returns whether it did.
   * In the source, dropped fields between two pieces prevent this; among the emitted bytes they do
   * not.
   */
  private static boolean joins(
      List<Arrangement.Part> parts,
      Piece piece,
      RewriteRecord record,
      Window window,
      boolean inSource) {
    int last = parts.size() - 1;
    if (!(parts.get(last) instanceof Piece before) || before.to() > piece.from()) {
      return false;
    }
    for (int i = before.to(); i < piece.from(); i++) {
      if (inSource || !(record.source().get(window.source + i).step() instanceof Drop)) {
        return false;
      }
    }
    var captured = new ArrayList<>(before.fields());
    captured.addAll(piece.fields());
    parts.set(last, new Piece(before.from(), piece.to(), captured));
    return true;
  }

  /**
   * Adds the fields that are captured in a step, each once: several branches of a union may capture
   * the same field. Called records capture no field.
   */
  private static void addCaptured(PlanStep step, Set<Integer> captured) {
    if (step instanceof Capture capture) {
      captured.add(capture.field());
      addCaptured(capture.step(), captured);
    } else if (step instanceof CheckRecord record) {
      record.fields().forEach(field -> addCaptured(field.step(), captured));
    } else if (step instanceof CheckUnion union) {
      union.branches().forEach(branch -> addCaptured(branch, captured));
    } else if (step instanceof RewriteRecord record) {
      record.source().forEach(field -> addCaptured(field.step(), captured));
      for (Part part : record.table()) {
        if (part instanceof Added added) {
          addCaptured(added.step(), captured);
        }
      }
    } else if (step instanceof RewriteUnion union) {
      union.branches().forEach(branch -> addCaptured(branch, captured));
    } else if (step instanceof WriteIndex index) {
      addCaptured(index.step(), captured);
    }
  }
}
