package io.tidemark.avro.codegen;

import io.tidemark.avro.codegen.GiveStep.BeginField;
import io.tidemark.avro.codegen.GiveStep.Copy;
import io.tidemark.avro.codegen.GiveStep.EndField;
import io.tidemark.avro.codegen.GiveStep.Give;
import io.tidemark.avro.codegen.GiveStep.Rewrite;
import io.tidemark.avro.plan.Constant;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.PlanStep;
import io.tidemark.avro.plan.PlanStep.Call;
import io.tidemark.avro.plan.PlanStep.Capture;
import io.tidemark.avro.plan.PlanStep.CheckBytes;
import io.tidemark.avro.plan.PlanStep.Drop;
import io.tidemark.avro.plan.PlanStep.Promote;
import io.tidemark.avro.plan.PlanStep.RewriteArray;
import io.tidemark.avro.plan.PlanStep.RewriteEnum;
import io.tidemark.avro.plan.PlanStep.RewriteMap;
import io.tidemark.avro.plan.PlanStep.RewriteUnion;
import io.tidemark.avro.plan.PlanStep.Symbol;
import io.tidemark.avro.plan.PlanStep.Write;
import io.tidemark.avro.plan.PlanStep.WriteIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.objectweb.asm.Label;

/**
 * Writes the methods of a {@link Kernel} that give the bytes of rewritten datums. Used for one
 * plan, by one thread.
 *
 * <p>They run over a source that has been walked through without doubt, so they check nothing.
 *
 * <pre>{@code
 * static void give3(byte[] bytes, int at, RewrittenDatum out) {
 *   out.copy(bytes, at, at + 1);
 *   out.give(0);
 *   union5(bytes, out.position(at + 1), out); …
 * }
 *
 * static int union5(byte[] bytes, int lane, RewrittenDatum out) { … }
 * }</pre>
 */
final class GiveWriter {
  /** How many steps a method has. */
  private static final int METHOD_STEPS = 64;

  private final KernelWriter kernel;
  private final Plan plan;
  private final List<Constant> constants = new ArrayList<>();

  /** The methods of single values by what they rewrite: equal ones share one. */
  private final Map<PlanStep, String> methods = new HashMap<>();

  GiveWriter(KernelWriter kernel, Plan plan) {
    this.kernel = kernel;
    this.plan = plan;
  }

  /** What the methods give by index. */
  List<Constant> constants() {
    return constants;
  }

  /** The names of the methods that, one after the other, give what a passage gives. */
  List<String> methodsOf(Passage passage) {
    var names = new ArrayList<String>();
    for (int from = 0; from < passage.give().size(); from += METHOD_STEPS) {
      int to = Math.min(from + METHOD_STEPS, passage.give().size());
      List<GiveStep> steps = passage.give().subList(from, to);
      names.add(
          kernel.method("give", GiveCode.GIVE, code -> writeGive(steps, GiveCode.ofPassage(code))));
    }
    return names;
  }

  private void writeGive(List<GiveStep> steps, GiveCode code) {
    for (GiveStep step : steps) {
      if (step instanceof Copy copy) {
        copy.fields().forEach(field -> code.moveField(field, copy.from()));
        code.copy(copy.from(), copy.to());
      } else if (step instanceof Give give) {
        code.give(constant(give.constant()));
      } else if (step instanceof BeginField field) {
        code.field("beginField", field.field());
      } else if (step instanceof EndField field) {
        code.field("endField", field.field());
      } else if (step instanceof Rewrite rewrite) {
        code.rewrite(KernelWriter.SELF, methodOf(rewrite.step()), rewrite.at());
      }
    }
    code.end();
  }

  private int constant(Constant constant) {
    constants.add(constant);
    return constants.size() - 1;
  }

  /** The name of the method that gives what a step makes of a value. */
  private String methodOf(PlanStep step) {
    String known = methods.get(step);
    if (known == null) {
      known = valueMethod(step);
      methods.put(step, known);
    }
    return known;
  }

  private String valueMethod(PlanStep step) {
    if (step instanceof RewriteUnion union) {
      return method("giveUnion", code -> writeUnion(union, code));
    }
    if (step instanceof RewriteEnum choice) {
      return method("giveEnum", code -> writeEnum(choice, code));
    }
    if (step instanceof RewriteArray array) {
      return kernel.walksItems(array.items())
          ? method("giveArray", code -> code.giveBlocks(() -> writeValue(array.items(), code)))
          : method("giveNoItems", GiveCode::copyByte);
    }
    if (step instanceof RewriteMap map) {
      return method("giveMap", code -> writeMap(map, code));
    }
    if (step instanceof Call call) {
      return passageMethod(kernel.definition(call));
    }
    return step instanceof Promote promote
        ? method("givePromoted", code -> code.promote(promote.promotion()))
        : passageMethod(step);
  }

  /** A method that walks through a record again and gives it. */
  private String passageMethod(PlanStep step) {
    return method(
        "giveRecord",
        code -> {
          Passage passage = kernel.passage(step);
          String walk = kernel.walkMethod(passage.walk());
          code.pass(KernelWriter.SELF, passage.places(), walk, methodsOf(passage));
        });
  }

  private String method(String kind, Consumer<GiveCode> body) {
    return kernel.method(
        kind,
        GiveCode.VALUE,
        visitor -> {
          GiveCode code = GiveCode.ofValue(visitor);
          body.accept(code);
          code.returnLane();
        });
  }

  private void writeUnion(RewriteUnion union, GiveCode code) {
    var branches = new Label[union.branches().size()];
    Arrays.setAll(branches, branch -> new Label());
    code.takeIndex(branches);
    for (int i = 0; i < branches.length; i++) {
      code.label(branches[i]);
      writeValue(union.branches().get(i), code);
      code.returnLane();
    }
  }

  private static void writeEnum(RewriteEnum choice, GiveCode code) {
    var symbols = new Label[choice.symbols().size()];
    Arrays.setAll(symbols, symbol -> new Label());
    code.takeIndex(symbols);
    for (int i = 0; i < symbols.length; i++) {
      code.label(symbols[i]);
      if (choice.symbols().get(i).tableIndex() != Symbol.NONE) {
        code.giveIndex(choice.symbols().get(i).tableIndex());
      }
      code.returnLane();
    }
  }

  private void writeMap(RewriteMap map, GiveCode code) {
    code.giveBlocks(
        () -> {
          writeValue(new CheckBytes(), code);
          writeValue(map.values(), code);
        });
  }

  /** Writes the giving of a value where a lane stands before it. */
  private void writeValue(PlanStep step, GiveCode code) {
    if (step instanceof WriteIndex index) {
      code.giveIndex(index.branch());
      writeValue(index.step(), code);
    } else if (step instanceof Write) {
      code.give(constant(Constant.of(step, plan)));
    } else if (step instanceof Capture capture) {
      code.field("beginField", capture.field());
      writeValue(capture.step(), code);
      code.field("endField", capture.field());
    } else if (step instanceof Drop drop) {
      code.take(drop.step(), kernel, false);
    } else if (step instanceof Promote promote) {
      code.promote(promote.promotion());
    } else if (plan.copies(step) && WalkSteps.captured(step).isEmpty()) {
      code.take(step, kernel, true);
    } else if (!(step instanceof PlanStep.Unresolvable)) {
      code.call(KernelWriter.SELF, methodOf(step));
    }
  }
}
