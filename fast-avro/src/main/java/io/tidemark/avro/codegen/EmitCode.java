package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.step.PlanStep;
import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The code of a generated method that emits bytes: the positions of its variables, and the
 * instructions of each step. Used by one thread.
 */
final class EmitCode {
  /** {@code void method(byte[] bytes, int at, RewrittenDatum out)}. */
  static final String EMIT = "([BILio/tidemark/avro/codegen/RewrittenDatum;)V";

  /** {@code int method(byte[] bytes, int position, RewrittenDatum out)}. */
  static final String VALUE = "([BILio/tidemark/avro/codegen/RewrittenDatum;)I";

  static final String OUT = "io/tidemark/avro/codegen/RewrittenDatum";
  private static final String SKIP_OPS = "io/tidemark/avro/codegen/SkipOps";
  private static final int BYTES = 0;

  /** The variables of a method that emits from noted positions. */
  private static final int AT = 1;

  private static final int NOTES_OUT = 2;

  /** The variables of a method that emits the value at a position. */
  private static final int POSITION = 1;

  private static final int VALUE_OUT = 2;
  private static final int ITEMS = 3;
  private static final int FROM = 4;

  private final MethodVisitor code;
  private final int out;

  private EmitCode(MethodVisitor code, int out) {
    this.code = code;
    this.out = out;
  }

  static EmitCode ofNotes(MethodVisitor code) {
    return new EmitCode(code, NOTES_OUT);
  }

  static EmitCode ofValue(MethodVisitor code) {
    return new EmitCode(code, VALUE_OUT);
  }

  /** {@code out.copy(bytes, at + from, at + to)}. */
  void copy(int from, int to) {
    loadOut();
    loadBytes();
    pushPlace(from);
    pushPlace(to);
    out("copy", "([BII)V");
  }

  /** {@code out.convert(conversion, bytes, at + from, at + to)}. */
  void convert(int conversion, int from, int to) {
    loadOut();
    IntConstants.push(code, conversion);
    loadBytes();
    pushPlace(from);
    pushPlace(to);
    out("convertNoted", "(I[BII)V");
  }

  /** {@code out.moveField(field, at, at + from)}. */
  void moveField(int field, int from) {
    loadOut();
    IntConstants.push(code, field);
    code.visitVarInsn(Opcodes.ILOAD, AT);
    pushPlace(from);
    out("moveField", "(III)V");
  }

  /** {@code out.emitConstant(constant)}. */
  void emitConstant(int constant) {
    loadOut();
    IntConstants.push(code, constant);
    out("emitConstant", "(I)V");
  }

  /** {@code out.emitIndex(index)}. */
  void emitIndex(int index) {
    loadOut();
    IntConstants.push(code, index);
    out("emitIndex", "(I)V");
  }

  /** {@code out.beginField(field)}, or {@code endField}. */
  void field(String method, int field) {
    loadOut();
    IntConstants.push(code, field);
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

  /** {@code position = union5(bytes, position, out)}. */
  void call(String owner, String method) {
    loadBytes();
    loadPosition();
    loadOut();
    code.visitMethodInsn(Opcodes.INVOKESTATIC, owner, method, VALUE, false);
    storePosition();
  }

  /** Skips a value, and copies it or not. */
  void skip(PlanStep step, KernelWriter kernel, boolean copied) {
    loadPosition();
    code.visitVarInsn(Opcodes.ISTORE, FROM);
    kernel.writeWalk(step, SkipCode.ofValue(code, VALUE_OUT));
    if (copied) {
      loadOut();
      loadBytes();
      code.visitVarInsn(Opcodes.ILOAD, FROM);
      loadPosition();
      out("copyBytes", "([BII)V");
    }
  }

  /** Skips a value, and emits what a conversion makes of it. */
  void convert(PlanStep source, KernelWriter kernel, int conversion) {
    skip(source, kernel, false);
    loadOut();
    IntConstants.push(code, conversion);
    loadBytes();
    code.visitVarInsn(Opcodes.ILOAD, FROM);
    loadPosition();
    out("convert", "(I[BII)V");
  }

  /** Copies the zero byte of an array or map without items. */
  void copyByte() {
    loadPosition();
    code.visitVarInsn(Opcodes.ISTORE, FROM);
    code.visitIincInsn(POSITION, 1);
    loadOut();
    loadBytes();
    code.visitVarInsn(Opcodes.ILOAD, FROM);
    loadPosition();
    out("copyBytes", "([BII)V");
  }

  /** Skips an index and jumps to the code of the choice, which must be one of these. */
  void skipIndex(Label[] choices) {
    var none = new Label();
    loadBytes();
    loadPosition();
    IntConstants.push(code, choices.length);
    skipOp("index", "([BII)I");
    code.visitVarInsn(Opcodes.ISTORE, ITEMS);
    loadPosition();
    code.visitVarInsn(Opcodes.ILOAD, ITEMS);
    skipOp("behindIndex", "(II)I");
    storePosition();
    if (choices.length > 0) {
      code.visitVarInsn(Opcodes.ILOAD, ITEMS);
      code.visitTableSwitchInsn(0, choices.length - 1, none, choices);
    }
    code.visitLabel(none);
    returnPosition();
  }

  /**
   * Emits the blocks of an array or map.
   *
   * <pre>{@code
   * while (true) {
   *   int items = SkipOps.blockItems(bytes, position);
   *   position = out.emitBlockHead(bytes, position);
   *   if (items == 0) return position;
   *   do { … } while (--items > 0);
   * }
   * }</pre>
   *
   * @param item writes the code for an item
   */
  void emitBlocks(Runnable item) {
    var block = new Label();
    var next = new Label();
    code.visitLabel(block);
    loadBytes();
    loadPosition();
    skipOp("blockItems", "([BI)I");
    code.visitVarInsn(Opcodes.ISTORE, ITEMS);
    loadOut();
    loadBytes();
    loadPosition();
    out("emitBlockHead", "([BI)I");
    storePosition();
    code.visitVarInsn(Opcodes.ILOAD, ITEMS);
    code.visitJumpInsn(Opcodes.IFGT, next);
    returnPosition();
    code.visitLabel(next);
    item.run();
    code.visitIincInsn(ITEMS, -1);
    code.visitVarInsn(Opcodes.ILOAD, ITEMS);
    code.visitJumpInsn(Opcodes.IFGT, next);
    code.visitJumpInsn(Opcodes.GOTO, block);
  }

  /**
   * Walks through a record again and emits it.
   *
   * <pre>{@code
   * int at = out.enter(1, places);
   * position = one3(bytes, position, out.notes(), at, 0);
   * emit4(bytes, at, out); …
   * out.leave(at);
   * }</pre>
   */
  void emitRecord(String owner, int places, String walk, List<String> emit) {
    loadOut();
    IntConstants.push(code, 1);
    IntConstants.push(code, places);
    out("enter", "(II)I");
    code.visitVarInsn(Opcodes.ISTORE, ITEMS);
    loadBytes();
    loadPosition();
    loadOut();
    out("notes", "()[I");
    code.visitVarInsn(Opcodes.ILOAD, ITEMS);
    IntConstants.push(code, 0);
    code.visitMethodInsn(Opcodes.INVOKESTATIC, owner, walk, SkipCode.ONE_DATUM, false);
    storePosition();
    for (String method : emit) {
      loadBytes();
      code.visitVarInsn(Opcodes.ILOAD, ITEMS);
      loadOut();
      code.visitMethodInsn(Opcodes.INVOKESTATIC, owner, method, EMIT, false);
    }
    loadOut();
    code.visitVarInsn(Opcodes.ILOAD, ITEMS);
    out("leave", "(I)V");
  }

  void label(Label label) {
    code.visitLabel(label);
  }

  void returnPosition() {
    loadPosition();
    code.visitInsn(Opcodes.IRETURN);
  }

  private void pushPlace(int place) {
    code.visitVarInsn(Opcodes.ILOAD, AT);
    IntConstants.push(code, place);
    code.visitInsn(Opcodes.IADD);
  }

  private void out(String method, String descriptor) {
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, OUT, method, descriptor, false);
  }

  private void skipOp(String method, String descriptor) {
    code.visitMethodInsn(Opcodes.INVOKESTATIC, SKIP_OPS, method, descriptor, false);
  }

  private void loadBytes() {
    code.visitVarInsn(Opcodes.ALOAD, BYTES);
  }

  private void loadPosition() {
    code.visitVarInsn(Opcodes.ILOAD, POSITION);
  }

  private void storePosition() {
    code.visitVarInsn(Opcodes.ISTORE, POSITION);
  }

  private void loadOut() {
    code.visitVarInsn(Opcodes.ALOAD, out);
  }
}
