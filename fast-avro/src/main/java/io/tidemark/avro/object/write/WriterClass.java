package io.tidemark.avro.object.write;

import io.tidemark.avro.object.code.ClassBody;
import io.tidemark.avro.object.code.DataKind;
import org.apache.avro.generic.GenericData;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The class of a writer in the making, and the data that it serves. Used by one thread. */
record WriterClass(ClassBody body, GenericData data, boolean plain, AvroWriter avro) {
  /** What a method of a value takes: the value, the encoder. */
  static final String VALUE = "(Ljava/lang/Object;Lorg/apache/avro/io/Encoder;)V";

  /** Begins the class of some data. */
  static WriterClass of(GenericData data, ClassVisitor out) {
    return new WriterClass(
        new ClassBody("GeneratedWriter", ObjectWriter.class, out),
        data,
        DataKind.of(data) == DataKind.PLAIN,
        AvroWriter.of(data));
  }

  /** Calls a method that writes the value in a variable. */
  void call(String method, MethodVisitor code, int from, int out) {
    code.visitVarInsn(Opcodes.ALOAD, from);
    code.visitVarInsn(Opcodes.ALOAD, out);
    body.call(code, method, VALUE);
  }
}
