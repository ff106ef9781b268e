package io.tidemark.avro.codegen;

import io.tidemark.avro.codegen.WalkStep.Note;
import io.tidemark.avro.codegen.WalkStep.Take;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.PlanStep;
import io.tidemark.avro.plan.PlanStep.Call;
import io.tidemark.avro.plan.PlanStep.CheckArray;
import io.tidemark.avro.plan.PlanStep.CheckBytes;
import io.tidemark.avro.plan.PlanStep.CheckMap;
import io.tidemark.avro.plan.PlanStep.CheckUnion;
import io.tidemark.avro.plan.PlanStep.Define;
import io.tidemark.avro.plan.PlanStep.RewriteArray;
import io.tidemark.avro.plan.PlanStep.RewriteEnum;
import io.tidemark.avro.plan.PlanStep.RewriteMap;
import io.tidemark.avro.plan.PlanStep.RewriteUnion;
import io.tidemark.avro.plan.PlanStep.Symbol;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Writes the class file of a {@link Kernel}. Used for one plan, by one thread.
 *
 * <p>The class is a chain of methods of few steps each, far below the 8000 bytes above which the
 * JIT compiler leaves a method alone. Parts of a record that are alike share a method: the JIT
 * compiler takes longer for each than the class takes to be made. What stands in every datum is
 * walked through by all lanes, a step of the first, the same of the second, and so on, so that the
 * processor works on all of them at once. What some datums have and others have not (a union's
 * branch, an item) is a method of its own for one lane.
 *
 * <pre>{@code
 * static void all0(byte[] bytes, int[] lanes, int[] fields, int at) {
 *   int lane0 = lanes[0]; …
 *   lane0 = Lane.skipBytes(bytes, lane0);
 *   lane1 = Lane.skipBytes(bytes, lane1); …
 *   lane0 = Lane.skipLong(bytes, lane0); …
 *   lanes[0] = lane0; …
 * }
 *
 * static int array7(byte[] bytes, int lane, int[] fields, int at, int depth) { … }
 * }</pre>
 */
final class KernelWriter {
  /** How many steps a method for one lane has. */
  private static final int METHOD_STEPS = 12;

  /** How many steps a method for all lanes has. */
  private static final int ALL_LANES_STEPS = 6;

  /** How many calls a method of calls has. */
  private static final int METHOD_CALLS = 200;

  /** How many steps of a branch stand in the method of its union, which may have many branches. */
  private static final int BRANCH_STEPS = 4;

  /** The name of every generated class: the JVM makes it its own. */
  static final String SELF = "io/tidemark/avro/codegen/CompiledKernel";

  private static final String KERNEL = "io/tidemark/avro/codegen/Kernel";
  private static final String CONSTRUCTOR = "(ILjava/util/List;)V";
  private static final String ALL_LANES = "([B[I[II)V";

  private final ClassWriter out = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
  private final Plan plan;
  private final WalkSteps walkSteps;
  private final GiveWriter giveWriter;
  private final int maxDepth;

  /** The methods of single values by what they take: equal ones share one. */
  private final Map<PlanStep, String> methods = new HashMap<>();

  /** The methods that walk through several steps, by these: equal ones share one. */
  private final Map<List<WalkStep>, String> walks = new HashMap<>();

  private final Deque<Runnable> unwritten = new ArrayDeque<>();
  private int names;

  private KernelWriter(Plan plan, int maxDepth) {
    this.plan = plan;
    walkSteps = new WalkSteps(plan);
    giveWriter = new GiveWriter(this, plan);
    this.maxDepth = maxDepth;
  }

  /**
   * Writes the class of a plan.
   *
   * @param maxDepth how deep arrays, maps and called records may be nested
   * @throws UncompilablePlanException if there is no code for a step
   */
  static KernelClass write(Plan plan, int maxDepth) {
    PlanStep root = plan.root();
    return new KernelWriter(plan, maxDepth)
        .write(root instanceof Define define ? define.step() : root);
  }

  private KernelClass write(PlanStep root) {
    out.visit(Opcodes.V17, Opcodes.ACC_FINAL | Opcodes.ACC_SUPER, SELF, null, KERNEL, null);
    writeConstructor();
    boolean copies = plan.copies();
    Passage passage =
        copies
            ? new Passage(walkSteps.of(root), List.of(), 2 * plan.fieldPaths().size())
            : passage(root);
    writeWalkAll(passage);
    writeWalk(passage.walk());
    if (!copies) {
      writeGive(passage);
    }
    while (!unwritten.isEmpty()) {
      unwritten.removeFirst().run();
    }
    out.visitEnd();
    return new KernelClass(out.toByteArray(), passage.places(), giveWriter.constants());
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

  private void writeWalkAll(Passage passage) {
    var parts = new HashMap<List<WalkStep>, String>();
    List<String> methods =
        parts(passage.walk(), ALL_LANES_STEPS).stream()
            .map(part -> parts.computeIfAbsent(part, steps -> allLanes(steps, passage.places())))
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

  /** Hands the arguments, from a variable on, to one method after the other. */
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
    var lanes = new LaneCode[Kernel.LANES];
    Arrays.setAll(lanes, lane -> LaneCode.beside(code, lane, places * lane));
    for (LaneCode lane : lanes) {
      lane.load();
    }
    for (WalkStep step : steps) {
      for (LaneCode lane : lanes) {
        write(step, lane);
      }
    }
    for (LaneCode lane : lanes) {
      lane.store();
    }
    code.visitInsn(Opcodes.RETURN);
  }

  private void writeWalk(List<WalkStep> steps) {
    MethodVisitor code = out.visitMethod(0, "walk", LaneCode.ONE_LANE, null, null);
    code.visitCode();
    code.visitVarInsn(Opcodes.ALOAD, 1);
    code.visitVarInsn(Opcodes.ILOAD, 2);
    code.visitVarInsn(Opcodes.ALOAD, 3);
    code.visitVarInsn(Opcodes.ILOAD, 4);
    code.visitVarInsn(Opcodes.ILOAD, 5);
    code.visitMethodInsn(Opcodes.INVOKESTATIC, SELF, walkMethod(steps), LaneCode.ONE_LANE, false);
    code.visitInsn(Opcodes.IRETURN);
    end(code);
  }

  private void writeGive(Passage passage) {
    MethodVisitor code = out.visitMethod(0, "give", GiveCode.GIVE, null, null);
    code.visitCode();
    for (String method : giveWriter.methodsOf(passage)) {
      code.visitVarInsn(Opcodes.ALOAD, 1);
      code.visitVarInsn(Opcodes.ILOAD, 2);
      code.visitVarInsn(Opcodes.ALOAD, 3);
      code.visitMethodInsn(Opcodes.INVOKESTATIC, SELF, method, GiveCode.GIVE, false);
    }
    code.visitInsn(Opcodes.RETURN);
    end(code);
  }

  Passage passage(PlanStep step) {
    return Passage.of(step, plan, walkSteps);
  }

  PlanStep definition(Call call) {
    return walkSteps.definition(call);
  }

  /**
   * Whether there is code for items that an array has. Those that take no bytes, or give none, are
   * so rare that the interpreter does them, and counts them.
   */
  boolean walksItems(PlanStep items) {
    return !walkSteps.takesNothing(items) && !walkSteps.givesNothing(items);
  }

  /** The name of a method that walks through steps, for one lane. */
  String walkMethod(List<WalkStep> steps) {
    return walks.computeIfAbsent(steps, some -> method("one", lane -> writeSteps(some, lane)));
  }

  /** Writes the walk through a value where the lane's code stands. */
  void writeWalk(PlanStep step, LaneCode lane) {
    writeSteps(walkSteps.of(step), lane);
  }

  /** Writes steps where the lane's code stands, or calls of methods for them if they are many. */
  private void writeSteps(List<WalkStep> steps, LaneCode lane) {
    if (steps.size() <= METHOD_STEPS) {
      steps.forEach(step -> write(step, lane));
    } else {
      parts(steps, METHOD_STEPS).forEach(part -> lane.call(SELF, walkMethod(part)));
    }
  }

  private void write(WalkStep step, LaneCode lane) {
    if (step instanceof Note note) {
      lane.note(note.place());
    } else if (step instanceof Take take && !lane.take(take.step())) {
      lane.call(SELF, methodOf(take.step()));
    }
  }

  /** The name of the method that takes a value for one lane. */
  private String methodOf(PlanStep step) {
    String known = methods.get(step);
    if (known != null) {
      return known;
    }
    String name;
    if (step instanceof CheckUnion union) {
      name = method("union", lane -> writeUnion(union.branches(), lane));
    } else if (step instanceof CheckArray array) {
      name = method("array", lane -> writeArray(array.items(), lane));
    } else if (step instanceof CheckMap map) {
      name = method("map", lane -> writeMap(map.values(), lane));
    } else if (step instanceof RewriteUnion union) {
      name = method("union", lane -> writeUnion(union.branches(), lane));
    } else if (step instanceof RewriteEnum choice) {
      name = method("enum", lane -> writeEnum(choice, lane));
    } else if (step instanceof RewriteArray array) {
      name = method("array", lane -> writeArray(array.items(), lane));
    } else if (step instanceof RewriteMap map) {
      name = method("map", lane -> writeMap(map.values(), lane));
    } else if (step instanceof Call call) {
      name = method("record", lane -> writeRecord(call, lane));
    } else {
      throw new UncompilablePlanException(
          "no code is generated for the step " + step.getClass().getSimpleName());
    }
    methods.put(step, name);
    return name;
  }

  private void writeUnion(List<PlanStep> branches, LaneCode lane) {
    var targets = new Label[branches.size()];
    Arrays.setAll(targets, branch -> new Label());
    lane.takeIndex(targets);
    for (int i = 0; i < targets.length; i++) {
      lane.label(targets[i]);
      writeBranch(walkSteps.of(branches.get(i)), lane);
      lane.returnLane();
    }
  }

  private void writeBranch(List<WalkStep> steps, LaneCode lane) {
    if (steps.size() <= BRANCH_STEPS) {
      writeSteps(steps, lane);
    } else {
      lane.call(SELF, method("branch", branch -> writeSteps(steps, branch)));
    }
  }

  private void writeArray(PlanStep items, LaneCode lane) {
    if (walksItems(items)) {
      writeBlocks(walkSteps.of(items), lane);
    } else {
      lane.takeNoItems();
    }
  }

  private static void writeEnum(RewriteEnum choice, LaneCode lane) {
    var symbols = new Label[choice.symbols().size()];
    var lacking = new Label();
    var known = new Label();
    Arrays.setAll(
        symbols, i -> choice.symbols().get(i).tableIndex() == Symbol.NONE ? lacking : known);
    lane.takeIndex(symbols);
    lane.label(lacking);
    lane.doubt();
    lane.label(known);
  }

  private void writeMap(PlanStep values, LaneCode lane) {
    var entry = new ArrayList<WalkStep>();
    entry.add(new Take(new CheckBytes()));
    entry.addAll(walkSteps.of(values));
    writeBlocks(entry, lane);
  }

  private void writeBlocks(List<WalkStep> item, LaneCode lane) {
    lane.deepen(maxDepth);
    lane.takeBlocks(() -> writeSteps(item, lane));
  }

  private void writeRecord(Call call, LaneCode lane) {
    lane.deepen(maxDepth);
    writeSteps(walkSteps.of(walkSteps.definition(call)), lane);
  }

  /** Gives a name to a method for one lane, which is written later. */
  private String method(String kind, Consumer<LaneCode> body) {
    return method(
        kind,
        LaneCode.ONE_LANE,
        code -> {
          LaneCode lane = LaneCode.alone(code);
          body.accept(lane);
          lane.returnLane();
        });
  }

  /** Gives a name to a method, which is written later. */
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
    // Computed by the class writer.
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
