package io.tidemark.avro.object.write;

import io.tidemark.avro.object.code.ClassBody;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.io.Encoder;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Generates code that writes arrays and maps. */
final class ContainerCode {
  private final WriterCode values;

  ContainerCode(WriterCode values) {
    this.values = values;
  }

  /**
   * Writes the method of an array. Local variables: 0 the array, 1 the encoder, 2 the size, 3 the
   * iterator, 4 the count, 5 the item.
   */
  void array(Schema array, MethodVisitor code) {
    code.visitVarInsn(Opcodes.ALOAD, 0);
    ClassBody.cast(code, Collection.class);
    ClassBody.callVirtual(code, Collection.class, "size", "()I");
    code.visitVarInsn(Opcodes.ISTORE, 2);
    begin(code, "writeArrayStart");
    code.visitVarInsn(Opcodes.ALOAD, 0);
    ClassBody.cast(code, Collection.class);
    ClassBody.callVirtual(code, Collection.class, "iterator", "()Ljava/util/Iterator;");
    items(code, () -> values.value(array.getElementType(), code, 5, 1, 6));
    end(code, "writeArrayEnd", "array");
  }

  void map(Schema map, MethodVisitor code) {
    code.visitVarInsn(Opcodes.ALOAD, 0);
    ClassBody.cast(code, Map.class);
    ClassBody.callVirtual(code, Map.class, "size", "()I");
    code.visitVarInsn(Opcodes.ISTORE, 2);
    begin(code, "writeMapStart");
    code.visitVarInsn(Opcodes.ALOAD, 0);
    ClassBody.cast(code, Map.class);
    ClassBody.callVirtual(code, Map.class, "entrySet", "()Ljava/util/Set;");
    ClassBody.callVirtual(code, Set.class, "iterator", "()Ljava/util/Iterator;");
    items(
        code,
        () -> {
          entry(code, "getKey");
          code.visitVarInsn(Opcodes.ALOAD, 1);
          ClassBody.callStatic(code, WriteOps.class, "key", WriterClass.VALUE);
          entry(code, "getValue");
          code.visitVarInsn(Opcodes.ASTORE, 6);
          values.value(map.getValueType(), code, 6, 1, 7);
        });
    end(code, "writeMapEnd", "map");
  }

  private static void entry(MethodVisitor code, String method) {
    code.visitVarInsn(Opcodes.ALOAD, 5);
    ClassBody.cast(code, Map.Entry.class);
    ClassBody.callVirtual(code, Map.Entry.class, method, "()Ljava/lang/Object;");
  }

  private static void begin(MethodVisitor code, String start) {
    code.visitVarInsn(Opcodes.ALOAD, 1);
    ClassBody.callVirtual(code, Encoder.class, start, "()V");
    code.visitVarInsn(Opcodes.ALOAD, 1);
    code.visitVarInsn(Opcodes.ILOAD, 2);
    code.visitInsn(Opcodes.I2L);
    ClassBody.callVirtual(code, Encoder.class, "setItemCount", "(J)V");
  }

  /**
   * Writes a loop over the iterator on the stack. Local variables: 3 the iterator, 4 the count, 5
   * the item.
   */
  private static void items(MethodVisitor code, Runnable item) {
    var next = new Label();
    var end = new Label();
    code.visitVarInsn(Opcodes.ASTORE, 3);
    code.visitInsn(Opcodes.ICONST_0);
    code.visitVarInsn(Opcodes.ISTORE, 4);
    code.visitLabel(next);
    code.visitVarInsn(Opcodes.ALOAD, 3);
    ClassBody.callVirtual(code, Iterator.class, "hasNext", "()Z");
    code.visitJumpInsn(Opcodes.IFEQ, end);
    code.visitVarInsn(Opcodes.ALOAD, 1);
    ClassBody.callVirtual(code, Encoder.class, "startItem", "()V");
    code.visitVarInsn(Opcodes.ALOAD, 3);
    ClassBody.callVirtual(code, Iterator.class, "next", "()Ljava/lang/Object;");
    code.visitVarInsn(Opcodes.ASTORE, 5);
    item.run();
    code.visitIincInsn(4, 1);
    code.visitJumpInsn(Opcodes.GOTO, next);
    code.visitLabel(end);
  }

  private static void end(MethodVisitor code, String end, String what) {
    code.visitVarInsn(Opcodes.ALOAD, 1);
    ClassBody.callVirtual(code, Encoder.class, end, "()V");
    code.visitVarInsn(Opcodes.ILOAD, 2);
    code.visitVarInsn(Opcodes.ILOAD, 4);
    code.visitLdcInsn(what);
    ClassBody.callStatic(code, WriteOps.class, "requireSize", "(IILjava/lang/String;)V");
  }
}
