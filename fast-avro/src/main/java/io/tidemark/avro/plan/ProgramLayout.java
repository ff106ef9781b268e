package io.tidemark.avro.plan;

import io.tidemark.avro.plan.step.EmptySteps;
import io.tidemark.avro.plan.step.PlanStep;
import io.tidemark.avro.plan.step.PlanStep.Call;
import io.tidemark.avro.plan.step.PlanStep.Capture;
import io.tidemark.avro.plan.step.PlanStep.CheckArray;
import io.tidemark.avro.plan.step.PlanStep.CheckBoolean;
import io.tidemark.avro.plan.step.PlanStep.CheckBytes;
import io.tidemark.avro.plan.step.PlanStep.CheckDecimal;
import io.tidemark.avro.plan.step.PlanStep.CheckEnum;
import io.tidemark.avro.plan.step.PlanStep.CheckInt;
import io.tidemark.avro.plan.step.PlanStep.CheckLong;
import io.tidemark.avro.plan.step.PlanStep.CheckMap;
import io.tidemark.avro.plan.step.PlanStep.CheckRecord;
import io.tidemark.avro.plan.step.PlanStep.CheckUnion;
import io.tidemark.avro.plan.step.PlanStep.Skip;
import io.tidemark.avro.plan.step.StepTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Creates the {@link Program} of a plan's steps. Used for one plan. */
final class ProgramLayout {
  private final StepTree plan;
  private final EmptySteps empty;
  private final Assembler code = new Assembler();
  private final RewriteLayout rewrite;
  private final Map<String, Integer> entries = new HashMap<>();
  private final Map<Integer, String> calls = new HashMap<>();

  /** True if captured fields are located in the source, false if among the emitted bytes. */
  private boolean captureInSource;

  ProgramLayout(StepTree plan) {
    this.plan = plan;
    empty = new EmptySteps(plan);
    rewrite = new RewriteLayout(plan, empty, code, this);
    captureInSource = plan.copies();
  }

  Program program() {
    add(plan.start(), FieldPath.ROOT);
    code.add(Program.STOP, FieldPath.ROOT);
    plan.definitions()
        .forEach(
            (name, record) -> {
              entries.put(name, code.label());
              add(record, FieldPath.ROOT);
              code.add(Program.RETURN, FieldPath.ROOT);
            });
    calls.forEach((at, name) -> code.set(at + 1, entryOf(name)));
    return code.program();
  }

  void add(PlanStep step, FieldPath path) {
    if (step instanceof Skip skip) {
      if (skip.bytes() > 0) {
        code.addWidth(skip.bytes(), path);
      }
    } else if (step instanceof CheckBoolean) {
      code.addValue(Program.BOOLEANS, path);
    } else if (step instanceof CheckInt) {
      code.addValue(Program.INTS, path);
    } else if (step instanceof CheckLong) {
      code.addValue(Program.LONGS, path);
    } else if (step instanceof CheckBytes) {
      code.addValue(Program.BYTES, path);
    } else if (step instanceof CheckDecimal decimal) {
      code.add(Program.DECIMAL, path, decimal.digits());
    } else if (step instanceof CheckEnum choice) {
      code.add(Program.ENUM, path, choice.symbols());
    } else if (step instanceof CheckRecord record) {
      record.fields().forEach(field -> add(field.step(), path.field(field.name())));
    } else if (step instanceof CheckUnion union) {
      addUnion(union.branches(), path);
    } else if (step instanceof CheckArray array) {
      addItems(array.items(), path, false);
    } else if (step instanceof CheckMap map) {
      addItems(map.values(), path, true);
    } else if (step instanceof Capture capture) {
      code.add(
          captureInSource ? Program.BEGIN_FIELD : Program.BEGIN_EMITTED, path, capture.field());
      add(capture.step(), path);
      code.add(captureInSource ? Program.END_FIELD : Program.END_EMITTED, path, capture.field());
    } else if (step instanceof Call call) {
      addCall(call, path);
    } else {
      rewrite.add(step, path);
    }
  }

  /** Adds steps that copy. Their captured fields are noted by their position in the source. */
  void addInSource(Runnable steps) {
    boolean before = captureInSource;
    captureInSource = true;
    steps.run();
    captureInSource = before;
  }

  private void addCall(Call call, FieldPath path) {
    // Nested empty records can be combined in exponentially many ways, so none of them is visited.
    if (!empty.takesNothing(call)) {
      calls.put(code.add(Program.CALL, path, 0), call.record());
    } else if (!empty.emitsNothing(call)) {
      rewrite.addConstant(call, path);
    }
  }

  private void addUnion(List<PlanStep> branches, FieldPath path) {
    var nothing = new Skip(0);
    if (branches.size() == 2 && branches.contains(nothing)) {
      int nullIndex = branches.indexOf(nothing);
      addNullable(2 * nullIndex, branches.get(1 - nullIndex), path);
    } else {
      addBranches(Program.UNION, branches, path);
    }
  }

  /** Adds an instruction with a target for each branch, and the branches. */
  int addBranches(int operation, List<PlanStep> branches, FieldPath path) {
    int union = code.add(operation, path, branches.size());
    var targets = new ArrayList<Integer>();
    branches.forEach(branch -> targets.add(code.reserve()));
    var exits = new ArrayList<Integer>();
    for (int i = 0; i < branches.size(); i++) {
      code.set(targets.get(i), code.label());
      add(branches.get(i), path);
      exits.add(code.add(Program.JUMP, path, 0));
    }
    int end = code.label();
    exits.forEach(exit -> code.set(exit + 1, end));
    return union;
  }

  private void addNullable(int nullByte, PlanStep value, FieldPath path) {
    if (value instanceof CheckBytes) {
      code.addValue(Program.NULLABLE_BYTES, path, nullByte);
      return;
    }
    int nullable = code.add(Program.NULLABLE, path, nullByte, 0);
    add(value, path);
    code.set(nullable + 2, code.label());
  }

  private void addItems(PlanStep item, FieldPath path, boolean keyed) {
    if (!keyed && empty.takesNothing(item)) {
      code.add(Program.EMPTY_ITEMS, path);
      return;
    }
    int items = code.add(Program.ITEMS, path, 0);
    addItem(item, path, keyed);
    code.set(items + 1, code.label());
  }

  /** Adds the steps of each item, after the instruction that opens a block of items. */
  void addItem(PlanStep item, FieldPath path, boolean keyed) {
    FieldPath itemPath = keyed ? path.values() : path.items();
    if (keyed) {
      code.addValue(Program.BYTES, itemPath);
    }
    add(item, itemPath);
    code.add(Program.NEXT, path);
  }

  private int entryOf(String record) {
    Integer entry = entries.get(record);
    if (entry == null) {
      throw new IllegalArgumentException(
          "the plan calls " + record + " but defines only " + plan.definitions().keySet());
    }
    return entry;
  }
}
