package io.tidemark.avro.codegen;

import io.tidemark.avro.codegen.WalkStep.Note;
import io.tidemark.avro.codegen.WalkStep.Take;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.step.PlanStep;
import io.tidemark.avro.plan.step.PlanStep.Ahead;
import io.tidemark.avro.plan.step.PlanStep.Call;
import io.tidemark.avro.plan.step.PlanStep.CheckArray;
import io.tidemark.avro.plan.step.PlanStep.CheckBytes;
import io.tidemark.avro.plan.step.PlanStep.CheckEnum;
import io.tidemark.avro.plan.step.PlanStep.CheckMap;
import io.tidemark.avro.plan.step.PlanStep.CheckUnion;
import io.tidemark.avro.plan.step.PlanStep.Drop;
import io.tidemark.avro.plan.step.PlanStep.RewriteArray;
import io.tidemark.avro.plan.step.PlanStep.RewriteMap;
import io.tidemark.avro.plan.step.PlanStep.RewriteRecord;
import io.tidemark.avro.plan.step.PlanStep.RewriteUnion;
import io.tidemark.avro.plan.step.PlanStep.Unresolvable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.objectweb.asm.ClassTooLargeException;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Writes the class file of a {@link Kernel}. Used for one plan, by one thread.
 *
 * <p>This is one class, because all its methods add to one class file, and share its methods.
 *
 * <p>The class is a chain of methods of few steps each. They are far below 8000 bytes: the JIT
 * compiler ignores larger methods. Equal parts of a record share a method, because the JIT compiler
 * takes longer for a method than the generator takes for the class. Values that every datum has are
 * walked through by all lanes: a step of the first lane, the same step of the second, and so on, so
 * the processor works on all of them at once. Values that only some datums have (a union's branch,
 * an item) have a separate method for one datum.
 *
 * <pre>{@code
 * static void all0(byte[] bytes, int[] lanes, int[] notes, int at) {
 *   int lane0 = lanes[0]; …
 *   lane0 = SkipOps.skipBytes(bytes, lane0);
 *   lane1 = SkipOps.skipBytes(bytes, lane1); …
 *   lane0 = SkipOps.skipLong(bytes, lane0); …
 *   lanes[0] = lane0; …
 * }
 *
 * static int array7(byte[] bytes, int position, int[] notes, int at, int depth) { … }
 * }</pre>
 */
final class KernelWriter {
  /** The number of steps of a method for one datum. */
  private static final int METHOD_STEPS = 12;

  /** The number of steps of a method for all lanes. */
  private static final int ALL_LANES_STEPS = 6;

  /** The number of calls of a method that only calls. */
  private static final int METHOD_CALLS = 200;

  /** The number of a branch's steps in the method of its union, which may have many branches. */
  private static final int BRANCH_STEPS = 4;

  /** The name of every generated class, which is a hidden class. */
  static final String SELF = "io/tidemark/avro/codegen/CompiledKernel";

  private static final String KERNEL = "io/tidemark/avro/codegen/Kernel";
  private static final String CONSTRUCTOR = "(ILjava/util/List;)V";
  private static final String ALL_LANES = "([B[I[II)V";

  private final ClassWriter out = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
  private final Plan plan;
  private final WalkSteps walkSteps;
  private final EmitWriter emitWriter;
  private final int maxDepth;

  /** The methods of single values by their step: equal steps share a method. */
  private final Map<PlanStep, String> methods = new HashMap<>();

  /** The methods for several steps, by these steps: equal ones share a method. */
  private final Map<List<WalkStep>, String> walks = new HashMap<>();

  /** The steps of which a look ahead at the datum chooses one. */
  private final Map<List<PlanStep>, Image> images = new LinkedHashMap<>();

  private int imagePlace;

  private final Deque<Runnable> unwritten = new ArrayDeque<>();
  private int names;

  /**
   * A step that a look ahead chooses.
   *
   * @param walked the number of its fields that the look ahead has walked through
   */
  private record Image(int number, int walked, RewritePasses passes) {}

  private KernelWriter(Plan plan, int maxDepth) {
    this.plan = plan;
    walkSteps = new WalkSteps(plan.steps());
    emitWriter = new EmitWriter(this, plan.steps());
    this.maxDepth = maxDepth;
  }

  /**
   * Writes the class of a plan.
   *
   * @param maxDepth the maximum nesting of arrays, maps and called records
   * @throws UncompilablePlanException if there is no code for a step, or the class would be larger
   *     than a class may be
   */
  static KernelClass write(Plan plan, int maxDepth) {
    try {
      return new KernelWriter(plan, maxDepth).write(plan.steps().start());
    } catch (MethodTooLargeException | ClassTooLargeException e) {
      throw new UncompilablePlanException("the plan is too large for a class: " + e, e);
    }
  }

  private KernelClass write(PlanStep root) {
    out.visit(Opcodes.V17, Opcodes.ACC_FINAL | Opcodes.ACC_SUPER, SELF, null, KERNEL, null);
    writeConstructor();
    boolean copies = plan.copies();
    if (root instanceof Ahead ahead) {
      addImages(ahead);
    }
    int places = 2 * plan.fieldPaths().size();
    for (Image image : images.values()) {
      // The last place has the number of the image.
      places = Math.max(places, image.passes.places() + 1);
    }
    imagePlace = places - 1;
    RewritePasses passes =
        copies || root instanceof Ahead
            ? new RewritePasses(walkSteps.of(root), List.of(), places)
            : passes(root);
    writeWalkAll(passes);
    writeWalk(passes.walk());
    if (!copies) {
      writeEmit(passes);
    }
    while (!unwritten.isEmpty()) {
      unwritten.removeFirst().run();
    }
    out.visitEnd();
    return new KernelClass(out.toByteArray(), passes.places(), emitWriter.constants());
  }

  private void writeConstructor() {
    MethodVisitor code = out.visitMethod(0, "<init>", CONSTRUCTOR, null, null);
    code.visitCode();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitVarInsn(Opcodes.ILOAD, 1);
    code.visitVarInsn(Opcodes.ALOAD, 2);
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, KERNEL, "<init>", CONSTRUCTOR, false);
    code.visitInsn(Opcodes.RETURN);
    end(code);
  }

  private void writeWalkAll(RewritePasses passes) {
    var parts = new HashMap<List<WalkStep>, String>();
    List<String> methods =
        parts(passes.walk(), ALL_LANES_STEPS).stream()
            .map(part -> parts.computeIfAbsent(part, steps -> allLanes(steps, passes.places())))
            .toList();
    while (methods.size() > METHOD_CALLS) {
      methods =
          parts(methods, METHOD_CALLS).stream()
              .map(some -> method("calls", ALL_LANES, calls -> writeCalls(some, 0, calls)))
              .toList();
    }
    MethodVisitor code = out.visitMethod(0, "walkAll", ALL_LANES, null, null);
    code.visitCode();
    writeCalls(methods, 1, code);
    end(code);
  }

  private String allLanes(List<WalkStep> steps, int places) {
    return method("all", ALL_LANES, code -> writeAllLanes(steps, places, code));
  }

  /** Passes the arguments, beginning at a variable, to one method after the other. */
  private static void writeCalls(List<String> methods, int first, MethodVisitor code) {
    for (String method : methods) {
      code.visitVarInsn(Opcodes.ALOAD, first);
      code.visitVarInsn(Opcodes.ALOAD, first + 1);
      code.visitVarInsn(Opcodes.ALOAD, first + 2);
      code.visitVarInsn(Opcodes.ILOAD, first + 3);
      code.visitMethodInsn(Opcodes.INVOKESTATIC, SELF, method, ALL_LANES, false);
    }
    code.visitInsn(Opcodes.RETURN);
  }

  private void writeAllLanes(List<WalkStep> steps, int places, MethodVisitor code) {
    var lanes = new SkipCode[Kernel.LANES];
    Arrays.setAll(lanes, lane -> SkipCode.ofLane(code, lane, places * lane));
    for (SkipCode lane : lanes) {
      lane.load();
    }
    for (WalkStep step : steps) {
      for (SkipCode lane : lanes) {
        write(step, lane);
      }
    }
    for (SkipCode lane : lanes) {
      lane.store();
    }
    code.visitInsn(Opcodes.RETURN);
  }

  private void writeWalk(List<WalkStep> steps) {
    MethodVisitor code = out.visitMethod(0, "walk", SkipCode.ONE_DATUM, null, null);
    code.visitCode();
    code.visitVarInsn(Opcodes.ALOAD, 1);
    code.visitVarInsn(Opcodes.ILOAD, 2);
    code.visitVarInsn(Opcodes.ALOAD, 3);
    code.visitVarInsn(Opcodes.ILOAD, 4);
    code.visitVarInsn(Opcodes.ILOAD, 5);
    code.visitMethodInsn(Opcodes.INVOKESTATIC, SELF, walkMethod(steps), SkipCode.ONE_DATUM, false);
    code.visitInsn(Opcodes.IRETURN);
    end(code);
  }

  /** Adds the passes of the steps of which a look ahead chooses one. */
  private void addImages(Ahead ahead) {
    // A record that drops what the look ahead walks through is walked through from there.
    var dropped = new ArrayList<PlanStep>();
    ahead.skipped().forEach(field -> dropped.add(new Drop(field.step())));
    dropped.add(new Drop(new CheckEnum(ahead.branches().size())));
    for (PlanStep branch : ahead.branches()) {
      if (branch instanceof Ahead next) {
        addImages(next);
      } else if (!(branch instanceof Unresolvable)) {
        boolean goesOn =
            branch instanceof RewriteRecord record
                && record.source().stream()
                    .map(PlanStep.Field::step)
                    .limit(dropped.size())
                    .toList()
                    .equals(dropped);
        int walked = goesOn ? dropped.size() : 0;
        RewritePasses passes = RewritePasses.of(branch, plan, walkSteps, walked);
        images.putIfAbsent(List.of(ahead, branch), new Image(images.size(), walked, passes));
      }
    }
  }

  private void writeEmit(RewritePasses passes) {
    MethodVisitor code = out.visitMethod(0, "emit", EmitCode.EMIT, null, null);
    code.visitCode();
    if (images.isEmpty()) {
      writeEmit(passes, code);
    } else {
      var labels = new Label[images.size()];
      Arrays.setAll(labels, image -> new Label());
      code.visitVarInsn(Opcodes.ALOAD, 3);
      code.visitVarInsn(Opcodes.ILOAD, 2);
      IntConstants.push(code, imagePlace);
      code.visitInsn(Opcodes.IADD);
      code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, EmitCode.OUT, "position", "(I)I", false);
      code.visitTableSwitchInsn(0, labels.length - 1, labels[0], labels);
      for (Image image : images.values()) {
        code.visitLabel(labels[image.number]);
        writeEmit(image.passes, code);
      }
    }
    end(code);
  }

  private void writeEmit(RewritePasses passes, MethodVisitor code) {
    for (String method : emitWriter.methodsOf(passes)) {
      code.visitVarInsn(Opcodes.ALOAD, 1);
      code.visitVarInsn(Opcodes.ILOAD, 2);
      code.visitVarInsn(Opcodes.ALOAD, 3);
      code.visitMethodInsn(Opcodes.INVOKESTATIC, SELF, method, EmitCode.EMIT, false);
    }
    code.visitInsn(Opcodes.RETURN);
  }

  RewritePasses passes(PlanStep step) {
    return RewritePasses.of(step, plan, walkSteps, 0);
  }

  PlanStep definition(Call call) {
    return walkSteps.definition(call);
  }

  /**
   * Returns whether code is generated for these items. Items that take no bytes, or emit none, are
   * rare: the interpreter processes and counts them.
   */
  boolean walksItems(PlanStep items) {
    return !walkSteps.takesNothing(items) && !walkSteps.emitsNothing(items);
  }

  /** Returns the name of a method that walks through steps, for one datum. */
  String walkMethod(List<WalkStep> steps) {
    return walks.computeIfAbsent(steps, some -> method("one", code -> writeSteps(some, code)));
  }

  /** Writes the walk through a value into the code. */
  void writeWalk(PlanStep step, SkipCode code) {
    writeSteps(walkSteps.of(step), code);
  }

  /** Writes steps into the code, or calls of methods if there are many steps. */
  private void writeSteps(List<WalkStep> steps, SkipCode code) {
    if (steps.size() <= METHOD_STEPS) {
      steps.forEach(step -> write(step, code));
    } else {
      parts(steps, METHOD_STEPS).forEach(part -> code.call(SELF, walkMethod(part)));
    }
  }

  private void write(WalkStep step, SkipCode code) {
    if (step instanceof Note note) {
      code.note(note.place());
    } else if (step instanceof Take take && !code.skip(take.step())) {
      code.call(SELF, methodOf(take.step()));
    }
  }

  /** Returns the name of the method that skips a value of one datum. */
  private String methodOf(PlanStep step) {
    String known = methods.get(step);
    if (known != null) {
      return known;
    }
    String name;
    if (step instanceof CheckUnion union) {
      name = method("union", code -> writeUnion(union.branches(), code));
    } else if (step instanceof CheckArray array) {
      name = method("array", code -> writeArray(array.items(), code));
    } else if (step instanceof CheckMap map) {
      name = method("map", code -> writeMap(map.values(), code));
    } else if (step instanceof RewriteUnion union) {
      name = method("union", code -> writeUnion(union.branches(), code));
    } else if (step instanceof Ahead ahead) {
      name = method("ahead", code -> writeAhead(ahead, code));
    } else if (step instanceof RewriteArray array) {
      name = method("array", code -> writeArray(array.items(), code));
    } else if (step instanceof RewriteMap map) {
      name = method("map", code -> writeMap(map.values(), code));
    } else if (step instanceof Call call) {
      name = method("record", code -> writeRecord(call, code));
    } else {
      throw new UncompilablePlanException(
          "no code is generated for the step " + step.getClass().getSimpleName());
    }
    methods.put(step, name);
    return name;
  }

  private void writeUnion(List<PlanStep> branches, SkipCode code) {
    var targets = new Label[branches.size()];
    Arrays.setAll(targets, branch -> new Label());
    code.skipIndex(targets);
    for (int i = 0; i < targets.length; i++) {
      code.label(targets[i]);
      writeBranch(walkSteps.of(branches.get(i)), code);
      code.returnPosition();
    }
  }

  private void writeAhead(Ahead ahead, SkipCode code) {
    var targets = new Label[ahead.branches().size()];
    Arrays.setAll(targets, branch -> new Label());
    code.begin();
    ahead.skipped().forEach(field -> writeWalk(field.step(), code));
    code.skipIndex(targets);
    for (int i = 0; i < targets.length; i++) {
      code.label(targets[i]);
      PlanStep branch = ahead.branches().get(i);
      Image image = images.get(List.of(ahead, branch));
      if (image == null || image.walked == 0) {
        code.again();
      }
      if (image != null) {
        code.note(imagePlace, image.number);
      }
      writeBranch(image == null ? walkSteps.of(branch) : image.passes.walk(), code);
      code.returnPosition();
    }
  }

  private void writeBranch(List<WalkStep> steps, SkipCode code) {
    if (steps.size() <= BRANCH_STEPS) {
      writeSteps(steps, code);
    } else {
      code.call(SELF, method("branch", branch -> writeSteps(steps, branch)));
    }
  }

  private void writeArray(PlanStep items, SkipCode code) {
    if (walksItems(items)) {
      writeBlocks(walkSteps.of(items), code);
    } else {
      code.skipNoItems();
    }
  }

  private void writeMap(PlanStep values, SkipCode code) {
    var entry = new ArrayList<WalkStep>();
    entry.add(new Take(new CheckBytes()));
    entry.addAll(walkSteps.of(values));
    writeBlocks(entry, code);
  }

  private void writeBlocks(List<WalkStep> item, SkipCode code) {
    code.deepen(maxDepth);
    code.skipBlocks(() -> writeSteps(item, code));
  }

  private void writeRecord(Call call, SkipCode code) {
    code.deepen(maxDepth);
    writeSteps(walkSteps.of(walkSteps.definition(call)), code);
  }

  /** Returns the name of a method for one datum, which is written later. */
  private String method(String kind, Consumer<SkipCode> body) {
    return method(
        kind,
        SkipCode.ONE_DATUM,
        visitor -> {
          SkipCode code = SkipCode.ofOneDatum(visitor);
          body.accept(code);
          code.returnPosition();
        });
  }

  /** Returns the name of a method, which is written later. */
  String method(String kind, String descriptor, Consumer<MethodVisitor> body) {
    String name = kind + names++;
    unwritten.add(
        () -> {
          MethodVisitor code =
              out.visitMethod(
                  Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC, name, descriptor, null, null);
          code.visitCode();
          body.accept(code);
          end(code);
        });
    return name;
  }

  private static void end(MethodVisitor code) {
    // The class writer computes the sizes.
    code.visitMaxs(0, 0);
    code.visitEnd();
  }

  private static <T> List<List<T>> parts(List<T> whole, int size) {
    var parts = new ArrayList<List<T>>();
    for (int from = 0; from < whole.size(); from += size) {
      parts.add(whole.subList(from, Math.min(from + size, whole.size())));
    }
    return parts;
  }
}
