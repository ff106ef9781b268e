package io.tidemark.avro.object.write;

import io.tidemark.avro.object.code.ClassBody;
import io.tidemark.avro.object.code.DataKind;
import org.apache.avro.generic.GenericData;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The class of a writer while it is generated, and the data that it serves. Used by one thread.
 *
 * @param body the class
 * @param data the {@code GenericData} by whose rules objects are read
 * @param plain whether {@code data} behaves as Avro's own class: see {@link DataKind#PLAIN}
 * @param avro the methods of Avro's writer for the same data
 */
record WriterClass(ClassBody body, GenericData data, boolean plain, AvroWriter avro) {
  /** The descriptor of a method that writes a value: the value, the encoder. */
  static final String VALUE = "(Ljava/lang/Object;Lorg/apache/avro/io/Encoder;)V";

  /** Begins a class for the given data. */
  static WriterClass of(GenericData data, ClassVisitor out) {
    return new WriterClass(
        new ClassBody("GeneratedWriter", ObjectWriter.class, out),
        data,
        DataKind.of(data) == DataKind.PLAIN,
        AvroWriter.of(data));
  }

  /** Writes a call of a method that writes the value in a local variable. */
  void call(String method, MethodVisitor code, int from, int out) {
    code.visitVarInsn(Opcodes.ALOAD, from);
    code.visitVarInsn(Opcodes.ALOAD, out);
    body.call(code, method, VALUE);
  }
}
