package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.step.PlanStep;
import io.tidemark.avro.plan.step.PlanStep.CheckBoolean;
import io.tidemark.avro.plan.step.PlanStep.CheckBytes;
import io.tidemark.avro.plan.step.PlanStep.CheckDecimal;
import io.tidemark.avro.plan.step.PlanStep.CheckEnum;
import io.tidemark.avro.plan.step.PlanStep.CheckInt;
import io.tidemark.avro.plan.step.PlanStep.CheckLong;
import io.tidemark.avro.plan.step.PlanStep.CheckUnion;
import io.tidemark.avro.plan.step.PlanStep.Skip;
import io.tidemark.avro.plan.step.PlanStep.Unresolvable;
import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The code with which a generated method walks through one datum or one lane: the positions of its
 * variables, and the {@link SkipOps} that each step calls. Used by one thread.
 */
final class SkipCode {
  /** {@code int method(byte[] bytes, int position, int[] notes, int at, int depth)}. */
  static final String ONE_DATUM = "([BI[III)I";

  private static final String OPS = "io/tidemark/avro/codegen/SkipOps";
  private static final String FALL_BACK = "io/tidemark/avro/codegen/FallBackException";
  private static final String STEP = "([BI)I";
  private static final String STEP_WITH_INT = "([BII)I";

  /** The number of bytes that are skipped without a check of the array's end. */
  private static final int SMALL_SKIP = 1 << 12;

  private static final int BYTES = 0;

  /** The variables of a method for one datum; two more for the items of a block. */
  private static final int ONE_DATUM_DEPTH = 4;

  private static final int ITEMS = 5;
  private static final int BLOCK_END = 6;
  private static final int BEGIN = 7;

  /** The variable with the positions of all lanes, in a method for all. */
  private static final int LANES = 1;

  private static final int NO_DEPTH = -1;
  private static final int NO_OUT = -1;

  private final MethodVisitor code;
  private final int index;
  private final int position;
  private final int notes;
  private final int at;
  private final int notesBefore;
  private final int depth;

  /** The variable of the output, in a method that emits. */
  private final int out;

  private SkipCode(
      MethodVisitor code,
      int index,
      int position,
      int notes,
      int at,
      int notesBefore,
      int depth,
      int out) {
    this.code = code;
    this.index = index;
    this.position = position;
    this.notes = notes;
    this.at = at;
    this.notesBefore = notesBefore;
    this.depth = depth;
    this.out = out;
  }

  /** Creates the code of a method for one datum. */
  static SkipCode ofOneDatum(MethodVisitor code) {
    return new SkipCode(code, 0, 1, 2, 3, 0, ONE_DATUM_DEPTH, NO_OUT);
  }

  /**
   * Creates the code of one of the lanes of a method for all.
   *
   * @param notesBefore the number of positions that are stored for the lanes before
   */
  static SkipCode ofLane(MethodVisitor code, int index, int notesBefore) {
    return new SkipCode(code, index, 4 + index, 2, 3, notesBefore, NO_DEPTH, NO_OUT);
  }

  /** Creates the code of a method that emits a value and stores no positions. */
  static SkipCode ofValue(MethodVisitor code, int out) {
    return new SkipCode(code, 0, 1, 0, 0, 0, NO_DEPTH, out);
  }

  /** {@code int lane2 = lanes[2]}. */
  void load() {
    code.visitVarInsn(Opcodes.ALOAD, LANES);
    push(index);
    code.visitInsn(Opcodes.IALOAD);
    storePosition();
  }

  /** {@code lanes[2] = lane2}. */
  void store() {
    code.visitVarInsn(Opcodes.ALOAD, LANES);
    push(index);
    loadPosition();
    code.visitInsn(Opcodes.IASTORE);
  }

  /** {@code notes[at + place] = position}. */
  void note(int place) {
    code.visitVarInsn(Opcodes.ALOAD, notes);
    pushSum(at, notesBefore + place);
    loadPosition();
    code.visitInsn(Opcodes.IASTORE);
  }

  /** {@code notes[at + place] = value}. */
  void note(int place, int value) {
    code.visitVarInsn(Opcodes.ALOAD, notes);
    pushSum(at, notesBefore + place);
    push(value);
    code.visitInsn(Opcodes.IASTORE);
  }

  /** Skips a value if one of the {@link SkipOps} can; returns false otherwise. */
  boolean skip(PlanStep step) {
    if (step instanceof Skip skip) {
      skipBytes(skip.bytes());
    } else if (step instanceof CheckBoolean) {
      step("skipBoolean");
    } else if (step instanceof CheckInt) {
      step("skipInt");
    } else if (step instanceof CheckLong) {
      step("skipLong");
    } else if (step instanceof CheckBytes) {
      step("skipBytes");
    } else if (step instanceof CheckDecimal decimal) {
      step("skipDecimal", decimal.digits());
    } else if (step instanceof CheckEnum choice) {
      step("skipEnum", choice.symbols());
    } else if (step instanceof Unresolvable) {
      fallBack();
    } else {
      return step instanceof CheckUnion union && skipNullable(union.branches());
    }
    return true;
  }

  private boolean skipNullable(List<PlanStep> branches) {
    int nullBranch = nullBranch(branches);
    if (nullBranch < 0) {
      return false;
    }
    PlanStep value = branches.get(1 - nullBranch);
    if (value instanceof Skip skip && skip.bytes() <= SMALL_SKIP) {
      code.visitVarInsn(Opcodes.ALOAD, BYTES);
      loadPosition();
      push(2 * nullBranch);
      push(skip.bytes());
      invoke("skipNullable", "([BIII)I");
      storePosition();
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

  /** Returns which branch of a union of null and one other type is null; -1 for other unions. */
  private static int nullBranch(List<PlanStep> branches) {
    return branches.size() == 2 ? branches.indexOf(new Skip(0)) : -1;
  }

  private void skipBytes(int count) {
    if (count > SMALL_SKIP) {
      step("skip", count);
    } else {
      code.visitIincInsn(position, count);
    }
  }

  /** {@code position = SkipOps.skipNoItems(bytes, position)}. */
  void skipNoItems() {
    step("skipNoItems");
  }

  /** {@code position = array7(bytes, position, notes, at, depth)}. */
  void call(String owner, String method) {
    code.visitVarInsn(Opcodes.ALOAD, BYTES);
    loadPosition();
    if (out == NO_OUT) {
      code.visitVarInsn(Opcodes.ALOAD, notes);
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
    code.visitMethodInsn(Opcodes.INVOKESTATIC, owner, method, ONE_DATUM, false);
    storePosition();
  }

  /** {@code if (depth >= maxDepth) throw FallBackException.INSTANCE; depth++}. */
  void deepen(int maxDepth) {
    var shallow = new Label();
    code.visitVarInsn(Opcodes.ILOAD, depth);
    push(maxDepth);
    code.visitJumpInsn(Opcodes.IF_ICMPLT, shallow);
    fallBack();
    code.visitLabel(shallow);
    code.visitIincInsn(depth, 1);
  }

  /** Skips the index of a union's branch and jumps to the code of the branch. */
  void skipIndex(Label[] branches) {
    var none = new Label();
    code.visitVarInsn(Opcodes.ALOAD, BYTES);
    loadPosition();
    push(branches.length);
    invoke("index", STEP_WITH_INT);
    code.visitVarInsn(Opcodes.ISTORE, ITEMS);
    loadPosition();
    code.visitVarInsn(Opcodes.ILOAD, ITEMS);
    invoke("behindIndex", "(II)I");
    storePosition();
    if (branches.length > 0) {
      code.visitVarInsn(Opcodes.ILOAD, ITEMS);
      code.visitTableSwitchInsn(0, branches.length - 1, none, branches);
    }
    code.visitLabel(none);
    fallBack();
  }

  /** {@code int begin = position}, in a method for one datum. */
  void begin() {
    loadPosition();
    code.visitVarInsn(Opcodes.ISTORE, BEGIN);
  }

  /** {@code position = begin}. */
  void again() {
    code.visitVarInsn(Opcodes.ILOAD, BEGIN);
    storePosition();
  }

  /**
   * Walks through the blocks of an array or map.
   *
   * <pre>{@code
   * while (true) {
   *   int items = SkipOps.blockItems(bytes, position);
   *   int end = SkipOps.blockEnd(bytes, position);
   *   position = SkipOps.skipBlockHead(bytes, position);
   *   if (items == 0) return position;
   *   do { … SkipOps.endItem(bytes, position); } while (--items > 0);
   *   SkipOps.endBlock(position, end);
   * }
   * }</pre>
   *
   * @param item writes the code for an item
   */
  void skipBlocks(Runnable item) {
    var block = new Label();
    var next = new Label();
    code.visitLabel(block);
    readBlock("blockItems", ITEMS);
    readBlock("blockEnd", BLOCK_END);
    step("skipBlockHead");
    code.visitVarInsn(Opcodes.ILOAD, ITEMS);
    code.visitJumpInsn(Opcodes.IFNE, next);
    returnPosition();
    code.visitLabel(next);
    item.run();
    code.visitVarInsn(Opcodes.ALOAD, BYTES);
    loadPosition();
    invoke("endItem", "([BI)V");
    code.visitIincInsn(ITEMS, -1);
    code.visitVarInsn(Opcodes.ILOAD, ITEMS);
    code.visitJumpInsn(Opcodes.IFGT, next);
    loadPosition();
    code.visitVarInsn(Opcodes.ILOAD, BLOCK_END);
    invoke("endBlock", "(II)V");
    code.visitJumpInsn(Opcodes.GOTO, block);
  }

  private void readBlock(String method, int variable) {
    code.visitVarInsn(Opcodes.ALOAD, BYTES);
    loadPosition();
    invoke(method, STEP);
    code.visitVarInsn(Opcodes.ISTORE, variable);
  }

  void label(Label label) {
    code.visitLabel(label);
  }

  void returnPosition() {
    loadPosition();
    code.visitInsn(Opcodes.IRETURN);
  }

  /** {@code throw FallBackException.INSTANCE}. */
  void fallBack() {
    code.visitFieldInsn(Opcodes.GETSTATIC, FALL_BACK, "INSTANCE", "L" + FALL_BACK + ";");
    code.visitInsn(Opcodes.ATHROW);
  }

  private void step(String method) {
    code.visitVarInsn(Opcodes.ALOAD, BYTES);
    loadPosition();
    invoke(method, STEP);
    storePosition();
  }

  private void step(String method, int operand) {
    code.visitVarInsn(Opcodes.ALOAD, BYTES);
    loadPosition();
    push(operand);
    invoke(method, STEP_WITH_INT);
    storePosition();
  }

  private void invoke(String method, String descriptor) {
    code.visitMethodInsn(Opcodes.INVOKESTATIC, OPS, method, descriptor, false);
  }

  private void loadPosition() {
    code.visitVarInsn(Opcodes.ILOAD, position);
  }

  private void storePosition() {
    code.visitVarInsn(Opcodes.ISTORE, position);
  }

  private void pushSum(int variable, int added) {
    code.visitVarInsn(Opcodes.ILOAD, variable);
    if (added != 0) {
      push(added);
      code.visitInsn(Opcodes.IADD);
    }
  }

  private void push(int value) {
    IntConstants.push(code, value);
  }
}
