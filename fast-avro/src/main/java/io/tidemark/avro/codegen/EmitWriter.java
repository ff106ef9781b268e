package io.tidemark.avro.codegen;

import io.tidemark.avro.codegen.EmitStep.BeginField;
import io.tidemark.avro.codegen.EmitStep.Converted;
import io.tidemark.avro.codegen.EmitStep.Copy;
import io.tidemark.avro.codegen.EmitStep.EmitConstant;
import io.tidemark.avro.codegen.EmitStep.EndField;
import io.tidemark.avro.codegen.EmitStep.Rewrite;
import io.tidemark.avro.plan.step.Constant;
import io.tidemark.avro.plan.step.Conversion;
import io.tidemark.avro.plan.step.PlanStep;
import io.tidemark.avro.plan.step.PlanStep.Added;
import io.tidemark.avro.plan.step.PlanStep.Call;
import io.tidemark.avro.plan.step.PlanStep.Capture;
import io.tidemark.avro.plan.step.PlanStep.CheckBytes;
import io.tidemark.avro.plan.step.PlanStep.Convert;
import io.tidemark.avro.plan.step.PlanStep.Drop;
import io.tidemark.avro.plan.step.PlanStep.Moved;
import io.tidemark.avro.plan.step.PlanStep.Part;
import io.tidemark.avro.plan.step.PlanStep.RewriteArray;
import io.tidemark.avro.plan.step.PlanStep.RewriteMap;
import io.tidemark.avro.plan.step.PlanStep.RewriteRecord;
import io.tidemark.avro.plan.step.PlanStep.RewriteUnion;
import io.tidemark.avro.plan.step.PlanStep.Write;
import io.tidemark.avro.plan.step.PlanStep.WriteIndex;
import io.tidemark.avro.plan.step.StepTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.objectweb.asm.Label;

/**
 * Writes the methods of a {@link Kernel} that emit the bytes of converted datums. Used for one
 * plan, by one thread.
 *
 * <p>The methods run over a source that a walk has validated, so they check nothing.
 *
 * <pre>{@code
 * static void emit3(byte[] bytes, int at, RewrittenDatum out) {
 *   out.copy(bytes, at + 0, at + 1);
 *   out.emitConstant(0);
 *   union5(bytes, out.position(at + 1), out); …
 * }
 *
 * static int union5(byte[] bytes, int position, RewrittenDatum out) { … }
 * }</pre>
 */
final class EmitWriter {
  /** The number of steps of a method. */
  private static final int METHOD_STEPS = 16;

  /** The number of source fields and parts of a record that is emitted without positions. */
  private static final int IN_ORDER_FIELDS = 8;

  private final KernelWriter kernel;
  private final StepTree plan;
  private final List<Conversion> conversions;
  private final List<Constant> constants = new ArrayList<>();

  /** The methods of single values by their step: equal steps share a method. */
  private final Map<PlanStep, String> methods = new HashMap<>();

  EmitWriter(KernelWriter kernel, StepTree plan) {
    this.kernel = kernel;
    this.plan = plan;
    conversions = plan.conversions();
  }

  /** Returns the constants that the methods emit, by index. */
  List<Constant> constants() {
    return constants;
  }

  /** Returns the names of the methods that together run the second pass. */
  List<String> methodsOf(RewritePasses passes) {
    var names = new ArrayList<String>();
    for (int from = 0; from < passes.emit().size(); from += METHOD_STEPS) {
      int to = Math.min(from + METHOD_STEPS, passes.emit().size());
      List<EmitStep> steps = passes.emit().subList(from, to);
      names.add(
          kernel.method("emit", EmitCode.EMIT, code -> writeEmit(steps, EmitCode.ofNotes(code))));
    }
    return names;
  }

  private void writeEmit(List<EmitStep> steps, EmitCode code) {
    for (EmitStep step : steps) {
      if (step instanceof Copy copy) {
        copy.fields().forEach(field -> code.moveField(field, copy.from()));
        code.copy(copy.from(), copy.to());
      } else if (step instanceof Converted converted) {
        int conversion = conversions.indexOf(converted.conversion());
        code.convert(conversion, converted.from(), converted.to());
      } else if (step instanceof EmitConstant emit) {
        code.emitConstant(constant(emit.constant()));
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

  /** Returns the name of the method that emits a step's conversion of a value. */
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
      return method("emitUnion", code -> writeUnion(union, code));
    }
    if (step instanceof RewriteArray array) {
      return kernel.walksItems(array.items())
          ? method("emitArray", code -> code.emitBlocks(() -> writeValue(array.items(), code)))
          : method("emitNoItems", EmitCode::copyByte);
    }
    if (step instanceof RewriteMap map) {
      return method("emitMap", code -> writeMap(map, code));
    }
    return recordMethod(step instanceof Call call ? kernel.definition(call) : step);
  }

  /** Returns the name of a method that walks through a record again and emits it. */
  private String recordMethod(PlanStep step) {
    return method(
        "emitRecord",
        code -> {
          RewritePasses passes = kernel.passes(step);
          String walk = kernel.walkMethod(passes.walk());
          code.emitRecord(KernelWriter.SELF, passes.places(), walk, methodsOf(passes));
        });
  }

  private String method(String kind, Consumer<EmitCode> body) {
    return kernel.method(
        kind,
        EmitCode.VALUE,
        visitor -> {
          EmitCode code = EmitCode.ofValue(visitor);
          body.accept(code);
          code.returnPosition();
        });
  }

  private void writeUnion(RewriteUnion union, EmitCode code) {
    var branches = new Label[union.branches().size()];
    Arrays.setAll(branches, branch -> new Label());
    code.skipIndex(branches);
    for (int i = 0; i < branches.length; i++) {
      code.label(branches[i]);
      writeValue(union.branches().get(i), code);
      code.returnPosition();
    }
  }

  private void writeConverted(Convert convert, EmitCode code) {
    code.convert(convert.source(), kernel, conversions.indexOf(convert.conversion()));
  }

  private void writeMap(RewriteMap map, EmitCode code) {
    code.emitBlocks(
        () -> {
          writeValue(new CheckBytes(), code);
          writeValue(map.values(), code);
        });
  }

  /** Returns whether a small record has the order of its source, so that no position is noted. */
  private static boolean isInOrder(RewriteRecord record) {
    int last = -1;
    for (Part part : record.table()) {
      if (part instanceof Moved moved) {
        if (moved.source() < last) {
          return false;
        }
        last = moved.source();
      }
    }
    return record.source().size() + record.table().size() <= IN_ORDER_FIELDS;
  }

  private void writeInOrder(RewriteRecord record, EmitCode code) {
    int next = 0;
    for (Part part : record.table()) {
      if (part instanceof Added added) {
        code.emitConstant(constant(Constant.of(added.step(), plan)));
      } else {
        for (; next <= ((Moved) part).source(); next++) {
          writeValue(record.source().get(next).step(), code);
        }
      }
    }
    for (; next < record.source().size(); next++) {
      writeValue(record.source().get(next).step(), code);
    }
  }

  /** Writes the code that emits the value at the position. */
  private void writeValue(PlanStep step, EmitCode code) {
    if (step instanceof WriteIndex index) {
      code.emitIndex(index.branch());
      writeValue(index.step(), code);
    } else if (step instanceof Write) {
      code.emitConstant(constant(Constant.of(step, plan)));
    } else if (step instanceof Capture capture) {
      code.field("beginField", capture.field());
      writeValue(capture.step(), code);
      code.field("endField", capture.field());
    } else if (step instanceof Drop drop) {
      code.skip(drop.step(), kernel, false);
    } else if (step instanceof Convert convert) {
      writeConverted(convert, code);
    } else if (plan.copies(step) && WalkSteps.captured(step).isEmpty()) {
      code.skip(step, kernel, true);
    } else if (step instanceof RewriteRecord record && isInOrder(record)) {
      writeInOrder(record, code);
    } else if (!(step instanceof PlanStep.Unresolvable)) {
      code.call(KernelWriter.SELF, methodOf(step));
    }
  }
}
