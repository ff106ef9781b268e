package io.tidemark.avro.codegen;

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Pushes int constants in generated code, each by the shortest instruction. */
final class IntConstants {
  private IntConstants() {}

  static void push(MethodVisitor code, int value) {
    if (value >= -1 && value <= 5) {
      code.visitInsn(Opcodes.ICONST_0 + value);
    } else if (value == (byte) value) {
      code.visitIntInsn(Opcodes.BIPUSH, value);
    } else if (value == (short) value) {
      code.visitIntInsn(Opcodes.SIPUSH, value);
    } else {
      code.visitLdcInsn(value);
    }
  }
}
