package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.PlanStep;
import io.tidemark.avro.plan.PlanStep.Promotion;
import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The code of a generated method that gives bytes: where its variables are, and what a step does to
 * them. Used by one thread.
 */
final class GiveCode {
  /** {@code void method(byte[] bytes, int at, RewrittenDatum out)}. */
  static final String GIVE = "([BILio/tidemark/avro/codegen/RewrittenDatum;)V";

  /** {@code int method(byte[] bytes, int lane, RewrittenDatum out)}. */
  static final String VALUE = "([BILio/tidemark/avro/codegen/RewrittenDatum;)I";

  private static final String OUT = "io/tidemark/avro/codegen/RewrittenDatum";
  private static final String LANE_CLASS = "io/tidemark/avro/codegen/Lane";
  private static final int BYTES = 0;

  /** The variables of a passage's method. */
  private static final int AT = 1;

  private static final int PASSAGE_OUT = 2;

  /** The variables of a value's method. */
  private static final int LANE = 1;

  private static final int VALUE_OUT = 2;
  private static final int ITEMS = 3;
  private static final int FROM = 4;

  private final MethodVisitor code;
  private final int out;

  private GiveCode(MethodVisitor code, int out) {
    this.code = code;
    this.out = out;
  }

  static GiveCode ofPassage(MethodVisitor code) {
    return new GiveCode(code, PASSAGE_OUT);
  }

  static GiveCode ofValue(MethodVisitor code) {
    return new GiveCode(code, VALUE_OUT);
  }

  /** {@code out.copy(bytes, at + from, at + to)}. */
  void copy(int from, int to) {
    loadOut();
    loadBytes();
    pushPlace(from);
    pushPlace(to);
    out("copy", "([BII)V");
  }

  /** {@code out.moveField(field, at, at + from)}. */
  void moveField(int field, int from) {
    loadOut();
    Push.value(code, field);
    code.visitVarInsn(Opcodes.ILOAD, AT);
    pushPlace(from);
    out("moveField", "(III)V");
  }

  /** {@code out.give(constant)}. */
  void give(int constant) {
    loadOut();
    Push.value(code, constant);
    out("give", "(I)V");
  }

  /** {@code out.giveIndex(index)}. */
  void giveIndex(int index) {
    loadOut();
    Push.value(code, index);
    out("giveIndex", "(I)V");
  }

  /** {@code out.beginField(field)}, or {@code endField}. */
  void field(String method, int field) {
    loadOut();
    Push.value(code, field);
    out(method, "(I)V");
  }

  /** {@code union5(bytes, out.position(at + place), out)}. */
  void rewrite(String owner, String method, int place) {
    loadBytes();
    loadOut();
    pushPlace(place);
    out("position", "(I)I");
    loadOut();
    code.visitMethodInsn(Opcodes.INVOKESTATIC, owner, method, VALUE, false);
    code.visitInsn(Opcodes.POP);
  }

  void end() {
    code.visitInsn(Opcodes.RETURN);
  }

  /** {@code lane = union5(bytes, lane, out)}. */
  void call(String owner, String method) {
    loadBytes();
    loadLane();
    loadOut();
    code.visitMethodInsn(Opcodes.INVOKESTATIC, owner, method, VALUE, false);
    storeLane();
  }

  /** Steps over a value, and copies it or not. */
  void take(PlanStep step, KernelWriter kernel, boolean copied) {
    loadLane();
    code.visitVarInsn(Opcodes.ISTORE, FROM);
    kernel.writeWalk(step, LaneCode.giving(code, VALUE_OUT));
    if (copied) {
      loadOut();
      loadBytes();
      code.visitVarInsn(Opcodes.ILOAD, FROM);
      loadLane();
      out("copyBytes", "([BII)V");
    }
  }

  /** Copies the byte that says that there are no items. */
  void copyByte() {
    loadLane();
    code.visitVarInsn(Opcodes.ISTORE, FROM);
    code.visitIincInsn(LANE, 1);
    loadOut();
    loadBytes();
    code.visitVarInsn(Opcodes.ILOAD, FROM);
    loadLane();
    out("copyBytes", "([BII)V");
  }

  void promote(Promotion promotion) {
    loadOut();
    loadBytes();
    loadLane();
    out(
        switch (promotion) {
          case INT_TO_FLOAT, LONG_TO_FLOAT -> "giveFloat";
          case INT_TO_DOUBLE, LONG_TO_DOUBLE -> "giveDouble";
          case FLOAT_TO_DOUBLE -> "giveFloatAsDouble";
        },
        "([BI)I");
    storeLane();
  }

  /** Steps over an index and jumps to what is done with the choice; there is no other. */
  void takeIndex(Label[] choices) {
    var none = new Label();
    loadBytes();
    loadLane();
    Push.value(code, choices.length);
    lane("index", "([BII)I");
    code.visitVarInsn(Opcodes.ISTORE, ITEMS);
    loadLane();
    code.visitVarInsn(Opcodes.ILOAD, ITEMS);
    lane("behindIndex", "(II)I");
    storeLane();
    if (choices.length > 0) {
      code.visitVarInsn(Opcodes.ILOAD, ITEMS);
      code.visitTableSwitchInsn(0, choices.length - 1, none, choices);
    }
    code.visitLabel(none);
    returnLane();
  }

  /**
   * Gives the blocks of an array or map.
   *
   * <pre>{@code
   * while (true) {
   *   int items = Lane.blockItems(bytes, lane);
   *   lane = out.giveBlockHead(bytes, lane);
   *   if (items == 0) return lane;
   *   do { … } while (--items > 0);
   * }
   * }</pre>
   *
   * @param item writes what is done with an item
   */
  void giveBlocks(Runnable item) {
    var block = new Label();
    var next = new Label();
    code.visitLabel(block);
    loadBytes();
    loadLane();
    lane("blockItems", "([BI)I");
    code.visitVarInsn(Opcodes.ISTORE, ITEMS);
    loadOut();
    loadBytes();
    loadLane();
    out("giveBlockHead", "([BI)I");
    storeLane();
    code.visitVarInsn(Opcodes.ILOAD, ITEMS);
    code.visitJumpInsn(Opcodes.IFGT, next);
    returnLane();
    code.visitLabel(next);
    item.run();
    code.visitIincInsn(ITEMS, -1);
    code.visitVarInsn(Opcodes.ILOAD, ITEMS);
    code.visitJumpInsn(Opcodes.IFGT, next);
    code.visitJumpInsn(Opcodes.GOTO, block);
  }

  /**
   * Walks through a record again and gives it.
   *
   * <pre>{@code
   * int at = out.enter(1, places);
   * lane = one3(bytes, lane, out.notes(), at, 0);
   * give4(bytes, at, out); …
   * out.leave(at);
   * }</pre>
   */
  void pass(String owner, int places, String walk, List<String> give) {
    loadOut();
    Push.value(code, 1);
    Push.value(code, places);
    out("enter", "(II)I");
    code.visitVarInsn(Opcodes.ISTORE, ITEMS);
    loadBytes();
    loadLane();
    loadOut();
    out("notes", "()[I");
    code.visitVarInsn(Opcodes.ILOAD, ITEMS);
    Push.value(code, 0);
    code.visitMethodInsn(Opcodes.INVOKESTATIC, owner, walk, LaneCode.ONE_LANE, false);
    storeLane();
    for (String method : give) {
      loadBytes();
      code.visitVarInsn(Opcodes.ILOAD, ITEMS);
      loadOut();
      code.visitMethodInsn(Opcodes.INVOKESTATIC, owner, method, GIVE, false);
    }
    loadOut();
    code.visitVarInsn(Opcodes.ILOAD, ITEMS);
    out("leave", "(I)V");
  }

  void label(Label label) {
    code.visitLabel(label);
  }

  void returnLane() {
    loadLane();
    code.visitInsn(Opcodes.IRETURN);
  }

  private void pushPlace(int place) {
    code.visitVarInsn(Opcodes.ILOAD, AT);
    Push.value(code, place);
    code.visitInsn(Opcodes.IADD);
  }

  private void out(String method, String descriptor) {
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, OUT, method, descriptor, false);
  }

  private void lane(String method, String descriptor) {
    code.visitMethodInsn(Opcodes.INVOKESTATIC, LANE_CLASS, method, descriptor, false);
  }

  private void loadBytes() {
    code.visitVarInsn(Opcodes.ALOAD, BYTES);
  }

  private void loadLane() {
    code.visitVarInsn(Opcodes.ILOAD, LANE);
  }

  private void storeLane() {
    code.visitVarInsn(Opcodes.ISTORE, LANE);
  }

  private void loadOut() {
    code.visitVarInsn(Opcodes.ALOAD, out);
  }
}
