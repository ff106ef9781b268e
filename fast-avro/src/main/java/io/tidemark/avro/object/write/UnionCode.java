package io.tidemark.avro.object.write;

import io.tidemark.avro.object.code.ClassBody;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.io.Encoder;
import org.apache.avro.specific.SpecificData;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Generates code that writes unions. The code selects the branch by the object's class if only one
 * branch can take that class, else by Avro's own rules.
 */
final class UnionCode {
  private static final String IS_OF_SCHEMA = "(Ljava/lang/Object;Lorg/apache/avro/Schema;)Z";

  private final WriterClass made;
  private final WriterCode values;

  UnionCode(WriterClass made, WriterCode values) {
    this.made = made;
    this.values = values;
  }

  void union(Schema union, MethodVisitor code, int from, int out, int free) {
    List<Schema> branches = union.getTypes();
    var labels = new Label[branches.size()];
    Arrays.setAll(labels, i -> new Label());
    var end = new Label();
    if (made.plain()) {
      chooseByClass(branches, labels, code, from);
    }
    made.body().constant(code, made.data(), GenericData.class);
    made.body().constant(code, union, Schema.class);
    code.visitVarInsn(Opcodes.ALOAD, from);
    ClassBody.callVirtual(
        code, GenericData.class, "resolveUnion", "(Lorg/apache/avro/Schema;Ljava/lang/Object;)I");
    if (labels.length == 0) {
      code.visitInsn(Opcodes.POP);
    } else {
      ClassBody.choose(code, labels, end);
    }
    for (int i = 0; i < labels.length; i++) {
      code.visitLabel(labels[i]);
      code.visitVarInsn(Opcodes.ALOAD, out);
      ClassBody.push(code, i);
      ClassBody.callVirtual(code, Encoder.class, "writeIndex", "(I)V");
      values.value(branches.get(i), code, from, out, free);
      code.visitJumpInsn(Opcodes.GOTO, end);
    }
    code.visitLabel(end);
  }

  /**
   * Writes code that jumps to the branch of the object's class, if the class alone decides. Avro
   * tries conversions first, and a conversion may exist for any class. So in a union with a logical
   * type, only null is decided here.
   */
  private void chooseByClass(List<Schema> branches, Label[] labels, MethodVisitor code, int from) {
    boolean logical = branches.stream().anyMatch(branch -> branch.getLogicalType() != null);
    for (int i = 0; i < labels.length; i++) {
      Schema branch = branches.get(i);
      if (branch.getType() == Schema.Type.NULL) {
        code.visitVarInsn(Opcodes.ALOAD, from);
        code.visitJumpInsn(Opcodes.IFNULL, labels[i]);
      } else if (!logical) {
        code.visitVarInsn(Opcodes.ALOAD, from);
        test(branch, code);
        code.visitJumpInsn(Opcodes.IFNE, labels[i]);
      }
    }
  }

  /**
   * Writes code that replaces the object on the stack by a boolean: whether it certainly is of a
   * branch.
   */
  private void test(Schema branch, MethodVisitor code) {
    switch (branch.getType()) {
      case BOOLEAN -> isInstance(code, Boolean.class);
      case INT -> isInstance(code, Integer.class);
      case LONG -> isInstance(code, Long.class);
      case FLOAT -> isInstance(code, Float.class);
      case DOUBLE -> isInstance(code, Double.class);
      case BYTES -> isInstance(code, ByteBuffer.class);
      case STRING -> ClassBody.callStatic(code, WriteOps.class, "isText", "(Ljava/lang/Object;)Z");
      case ARRAY -> ClassBody.callStatic(code, WriteOps.class, "isArray", "(Ljava/lang/Object;)Z");
      case MAP -> ClassBody.callStatic(code, WriteOps.class, "isMap", "(Ljava/lang/Object;)Z");
      case RECORD -> isOfSchema(branch, "isRecord", code);
      case FIXED -> isOfSchema(branch, "isFixed", code);
      case ENUM -> {
        Class<?> type = enumClass(branch);
        if (type == null) {
          isOfSchema(branch, "isSymbol", code);
        } else {
          made.body().constant(code, type, Class.class);
          ClassBody.callStatic(
              code, WriteOps.class, "isOf", "(Ljava/lang/Object;Ljava/lang/Class;)Z");
        }
      }
      default -> throw new IllegalArgumentException(branch.getType() + " cannot be a branch");
    }
  }

  private static void isInstance(MethodVisitor code, Class<?> type) {
    code.visitTypeInsn(Opcodes.INSTANCEOF, Type.getInternalName(type));
  }

  private void isOfSchema(Schema schema, String method, MethodVisitor code) {
    made.body().constant(code, schema, Schema.class);
    ClassBody.callStatic(code, WriteOps.class, method, IS_OF_SCHEMA);
  }

  /**
   * Returns the enum class of a schema if Avro's name for that class is the schema's name, else
   * null.
   */
  private @Nullable Class<?> enumClass(Schema schema) {
    Class<?> type = made.data() instanceof SpecificData specific ? specific.getClass(schema) : null;
    return type != null
            && type.isEnum()
            && ((SpecificData) made.data())
                .getSchema(type)
                .getFullName()
                .equals(schema.getFullName())
        ? type
        : null;
  }
}
