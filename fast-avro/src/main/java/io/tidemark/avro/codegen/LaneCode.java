package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.PlanStep;
import io.tidemark.avro.plan.PlanStep.CheckBoolean;
import io.tidemark.avro.plan.PlanStep.CheckBytes;
import io.tidemark.avro.plan.PlanStep.CheckEnum;
import io.tidemark.avro.plan.PlanStep.CheckInt;
import io.tidemark.avro.plan.PlanStep.CheckLong;
import io.tidemark.avro.plan.PlanStep.CheckUnion;
import io.tidemark.avro.plan.PlanStep.Skip;
import io.tidemark.avro.plan.PlanStep.Unresolvable;
import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The code of a generated method that concerns one lane: where its variables are, and what a step
 * does to them. Used by one thread.
 */
final class LaneCode {
  /** {@code int method(byte[] bytes, int lane, int[] fields, int at, int depth)}. */
  static final String ONE_LANE = "([BI[III)I";

  private static final String LANE = "io/tidemark/avro/codegen/Lane";
  private static final String DOUBT = "io/tidemark/avro/codegen/DoubtException";
  private static final String STEP = "([BI)I";
  private static final String STEP_WITH_INT = "([BII)I";

  /** Up to how many bytes are stepped over without a look at what is left of the array. */
  private static final int SMALL_SKIP = 1 << 12;

  private static final int BYTES = 0;

  /** The variables of a method for one lane; two more for the items of a block. */
  private static final int ONE_LANE_DEPTH = 4;

  private static final int ITEMS = 5;
  private static final int BLOCK_END = 6;

  /** The variable with the array of all lanes, in a method for all. */
  private static final int LANES = 1;

  private static final int NO_DEPTH = -1;
  private static final int NO_OUT = -1;

  private final MethodVisitor code;
  private final int index;
  private final int lane;
  private final int fields;
  private final int at;
  private final int notesBefore;
  private final int depth;

  /** The variable of what is given, in a method that gives. */
  private final int out;

  private LaneCode(
      MethodVisitor code,
      int index,
      int lane,
      int fields,
      int at,
      int notesBefore,
      int depth,
      int out) {
    this.code = code;
    this.index = index;
    this.lane = lane;
    this.fields = fields;
    this.at = at;
    this.notesBefore = notesBefore;
    this.depth = depth;
    this.out = out;
  }

  /** The only lane of a method. */
  static LaneCode alone(MethodVisitor code) {
    return new LaneCode(code, 0, 1, 2, 3, 0, ONE_LANE_DEPTH, NO_OUT);
  }

  /**
   * One of the lanes of a method for all.
   *
   * @param notesBefore how many places for notes the lanes before have
   */
  static LaneCode beside(MethodVisitor code, int index, int notesBefore) {
    return new LaneCode(code, index, 4 + index, 2, 3, notesBefore, NO_DEPTH, NO_OUT);
  }

  /** The lane of a method that gives, where nothing is noted. */
  static LaneCode giving(MethodVisitor code, int out) {
    return new LaneCode(code, 0, 1, 0, 0, 0, NO_DEPTH, out);
  }

  /** {@code int lane2 = lanes[2]}. */
  void load() {
    code.visitVarInsn(Opcodes.ALOAD, LANES);
    push(index);
    code.visitInsn(Opcodes.IALOAD);
    storeLane();
  }

  /** {@code lanes[2] = lane2}. */
  void store() {
    code.visitVarInsn(Opcodes.ALOAD, LANES);
    push(index);
    loadLane();
    code.visitInsn(Opcodes.IASTORE);
  }

  /** {@code fields[at + place] = lane}. */
  void note(int place) {
    code.visitVarInsn(Opcodes.ALOAD, fields);
    pushSum(at, notesBefore + place);
    loadLane();
    code.visitInsn(Opcodes.IASTORE);
  }

  /** Steps over a value, if that is a single step of a {@link Lane}; else does nothing. */
  boolean take(PlanStep step) {
    if (step instanceof Skip skip) {
      skip(skip.bytes());
    } else if (step instanceof CheckBoolean) {
      step("skipBoolean");
    } else if (step instanceof CheckInt) {
      step("skipInt");
    } else if (step instanceof CheckLong) {
      step("skipLong");
    } else if (step instanceof CheckBytes) {
      step("skipBytes");
    } else if (step instanceof CheckEnum choice) {
      step("skipEnum", choice.symbols());
    } else if (step instanceof Unresolvable) {
      doubt();
    } else {
      return step instanceof CheckUnion union && takeNullable(union.branches());
    }
    return true;
  }

  private boolean takeNullable(List<PlanStep> branches) {
    int nullBranch = nullBranch(branches);
    if (nullBranch < 0) {
      return false;
    }
    PlanStep value = branches.get(1 - nullBranch);
    if (value instanceof Skip skip && skip.bytes() <= SMALL_SKIP) {
      code.visitVarInsn(Opcodes.ALOAD, BYTES);
      loadLane();
      push(2 * nullBranch);
      push(skip.bytes());
      invoke("skipNullable", "([BIII)I");
      storeLane();
    } else if (value instanceof CheckBoolean) {
      step("skipNullableBoolean", 2 * nullBranch);
    } else if (value instanceof CheckInt) {
      step("skipNullableInt", 2 * nullBranch);
    } else if (value instanceof CheckLong) {
      step("skipNullableLong", 2 * nullBranch);
    } else if (value instanceof CheckBytes) {
      step("skipNullableBytes", 2 * nullBranch);
    } else {
      return false;
    }
    return true;
  }

  /** Which branch of a union of null and one other type is null; -1 if it is another union. */
  private static int nullBranch(List<PlanStep> branches) {
    return branches.size() == 2 ? branches.indexOf(new Skip(0)) : -1;
  }

  private void skip(int count) {
    if (count > SMALL_SKIP) {
      step("skip", count);
    } else {
      code.visitIincInsn(lane, count);
    }
  }

  /** {@code lane = Lane.skipNoItems(bytes, lane)}. */
  void takeNoItems() {
    step("skipNoItems");
  }

  /** {@code lane = array7(bytes, lane, fields, at, depth)}. */
  void call(String owner, String method) {
    code.visitVarInsn(Opcodes.ALOAD, BYTES);
    loadLane();
    if (out == NO_OUT) {
      code.visitVarInsn(Opcodes.ALOAD, fields);
      pushSum(at, notesBefore);
    } else {
      code.visitVarInsn(Opcodes.ALOAD, out);
      code.visitMethodInsn(
          Opcodes.INVOKEVIRTUAL, "io/tidemark/avro/codegen/RewrittenDatum", "notes", "()[I", false);
      push(0);
    }
    if (depth == NO_DEPTH) {
      push(0);
    } else {
      code.visitVarInsn(Opcodes.ILOAD, depth);
    }
    code.visitMethodInsn(Opcodes.INVOKESTATIC, owner, method, ONE_LANE, false);
    storeLane();
  }

  /** {@code if (depth >= maxDepth) throw DoubtException.INSTANCE; depth++}. */
  void deepen(int maxDepth) {
    var shallow = new Label();
    code.visitVarInsn(Opcodes.ILOAD, depth);
    push(maxDepth);
    code.visitJumpInsn(Opcodes.IF_ICMPLT, shallow);
    doubt();
    code.visitLabel(shallow);
    code.visitIincInsn(depth, 1);
  }

  /** Steps over the index of a union's branch and jumps to what is done with the branch. */
  void takeIndex(Label[] branches) {
    var none = new Label();
    code.visitVarInsn(Opcodes.ALOAD, BYTES);
    loadLane();
    push(branches.length);
    invoke("index", STEP_WITH_INT);
    code.visitVarInsn(Opcodes.ISTORE, ITEMS);
    loadLane();
    code.visitVarInsn(Opcodes.ILOAD, ITEMS);
    invoke("behindIndex", "(II)I");
    storeLane();
    if (branches.length > 0) {
      code.visitVarInsn(Opcodes.ILOAD, ITEMS);
      code.visitTableSwitchInsn(0, branches.length - 1, none, branches);
    }
    code.visitLabel(none);
    doubt();
  }

  /**
   * Walks through the blocks of an array or map.
   *
   * <pre>{@code
   * while (true) {
   *   int items = Lane.blockItems(bytes, lane);
   *   int end = Lane.blockEnd(bytes, lane);
   *   lane = Lane.skipBlockHead(bytes, lane);
   *   if (items == 0) return lane;
   *   do { … Lane.endItem(bytes, lane); } while (--items > 0);
   *   Lane.endBlock(lane, end);
   * }
   * }</pre>
   *
   * @param item writes what is done with an item
   */
  void takeBlocks(Runnable item) {
    var block = new Label();
    var next = new Label();
    code.visitLabel(block);
    readBlock("blockItems", ITEMS);
    readBlock("blockEnd", BLOCK_END);
    step("skipBlockHead");
    code.visitVarInsn(Opcodes.ILOAD, ITEMS);
    code.visitJumpInsn(Opcodes.IFNE, next);
    returnLane();
    code.visitLabel(next);
    item.run();
    code.visitVarInsn(Opcodes.ALOAD, BYTES);
    loadLane();
    invoke("endItem", "([BI)V");
    code.visitIincInsn(ITEMS, -1);
    code.visitVarInsn(Opcodes.ILOAD, ITEMS);
    code.visitJumpInsn(Opcodes.IFGT, next);
    loadLane();
    code.visitVarInsn(Opcodes.ILOAD, BLOCK_END);
    invoke("endBlock", "(II)V");
    code.visitJumpInsn(Opcodes.GOTO, block);
  }

  private void readBlock(String method, int variable) {
    code.visitVarInsn(Opcodes.ALOAD, BYTES);
    loadLane();
    invoke(method, STEP);
    code.visitVarInsn(Opcodes.ISTORE, variable);
  }

  void label(Label label) {
    code.visitLabel(label);
  }

  void returnLane() {
    loadLane();
    code.visitInsn(Opcodes.IRETURN);
  }

  /** {@code throw DoubtException.INSTANCE}. */
  void doubt() {
    code.visitFieldInsn(Opcodes.GETSTATIC, DOUBT, "INSTANCE", "L" + DOUBT + ";");
    code.visitInsn(Opcodes.ATHROW);
  }

  private void step(String method) {
    code.visitVarInsn(Opcodes.ALOAD, BYTES);
    loadLane();
    invoke(method, STEP);
    storeLane();
  }

  private void step(String method, int operand) {
    code.visitVarInsn(Opcodes.ALOAD, BYTES);
    loadLane();
    push(operand);
    invoke(method, STEP_WITH_INT);
    storeLane();
  }

  private void invoke(String method, String descriptor) {
    code.visitMethodInsn(Opcodes.INVOKESTATIC, LANE, method, descriptor, false);
  }

  private void loadLane() {
    code.visitVarInsn(Opcodes.ILOAD, lane);
  }

  private void storeLane() {
    code.visitVarInsn(Opcodes.ISTORE, lane);
  }

  private void pushSum(int variable, int added) {
    code.visitVarInsn(Opcodes.ILOAD, variable);
    if (added != 0) {
      push(added);
      code.visitInsn(Opcodes.IADD);
    }
  }

  private void push(int value) {
    Push.value(code, value);
  }
}
