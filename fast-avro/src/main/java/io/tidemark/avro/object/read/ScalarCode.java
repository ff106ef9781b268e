package io.tidemark.avro.object.read;

import io.tidemark.avro.object.code.ClassBody;
import org.apache.avro.Schema;
import org.apache.avro.io.Decoder;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Generates code that reads single numbers and booleans. */
final class ScalarCode {
  private ScalarCode() {}

  /** Writes code that reads a number, widens it to another type, and boxes it. */
  static void promoted(Schema.Type from, Schema.Type to, MethodVisitor code, int in) {
    scalar(from, code, in);
    code.visitInsn(widening(from, to));
    box(to, code);
  }

  private static int widening(Schema.Type from, Schema.Type to) {
    return switch (from) {
      case INT ->
          to == Schema.Type.LONG
              ? Opcodes.I2L
              : to == Schema.Type.FLOAT ? Opcodes.I2F : Opcodes.I2D;
      case LONG -> to == Schema.Type.FLOAT ? Opcodes.L2F : Opcodes.L2D;
      case FLOAT -> Opcodes.F2D;
      default -> throw new IllegalArgumentException("no promotion of " + from + " to " + to);
    };
  }

  /** Writes code that reads a number or boolean and leaves it on the stack, not boxed. */
  static void scalar(Schema.Type type, MethodVisitor code, int in) {
    switch (type) {
      case BOOLEAN -> take(code, in, "readBoolean", "()Z");
      case INT -> take(code, in, "readInt", "()I");
      case LONG -> take(code, in, "readLong", "()J");
      case FLOAT -> take(code, in, "readFloat", "()F");
      case DOUBLE -> take(code, in, "readDouble", "()D");
      default -> throw new IllegalArgumentException(type + " is not a scalar");
    }
  }

  /** Writes code that boxes the number or boolean that {@link #scalar} has left on the stack. */
  static void box(Schema.Type type, MethodVisitor code) {
    switch (type) {
      case BOOLEAN ->
          ClassBody.callStatic(code, Boolean.class, "valueOf", "(Z)Ljava/lang/Boolean;");
      case INT -> ClassBody.callStatic(code, Integer.class, "valueOf", "(I)Ljava/lang/Integer;");
      case LONG -> ClassBody.callStatic(code, Long.class, "valueOf", "(J)Ljava/lang/Long;");
      case FLOAT -> ClassBody.callStatic(code, Float.class, "valueOf", "(F)Ljava/lang/Float;");
      case DOUBLE -> ClassBody.callStatic(code, Double.class, "valueOf", "(D)Ljava/lang/Double;");
      default -> throw new IllegalArgumentException(type + " is not a scalar");
    }
  }

  /**
   * Writes a call of a method of the decoder.
   *
   * @param in the local variable with the decoder
   */
  static void take(MethodVisitor code, int in, String method, String descriptor) {
    code.visitVarInsn(Opcodes.ALOAD, in);
    ClassBody.callVirtual(code, Decoder.class, method, descriptor);
  }
}
