package io.tidemark.avro.object.read;

import io.tidemark.avro.object.code.ClassBody;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.io.Decoder;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Generates code that reads strings, bytes and fixed. */
final class BytesCode {
  private final ReaderClass made;

  BytesCode(ReaderClass made) {
    this.made = made;
  }

  /** Writes code that reads bytes as a {@code ByteBuffer}. */
  void bytes(Old old, MethodVisitor code, int in) {
    code.visitVarInsn(Opcodes.ALOAD, in);
    old.accept(code);
    ClassBody.callStatic(
        code, ReadOps.class, "buffer", "(Ljava/lang/Object;)Ljava/nio/ByteBuffer;");
    ClassBody.callVirtual(
        code, Decoder.class, "readBytes", "(Ljava/nio/ByteBuffer;)Ljava/nio/ByteBuffer;");
  }

  /** Writes code that reads a string as bytes. */
  static void bytesOfText(MethodVisitor code, int in) {
    code.visitVarInsn(Opcodes.ALOAD, in);
    ClassBody.callStatic(
        code, ReadOps.class, "bytesOfText", "(Lorg/apache/avro/io/Decoder;)Ljava/nio/ByteBuffer;");
  }

  /** Writes code that reads a string as an object of the class that {@link TextClasses} returns. */
  void text(Schema schema, Old old, MethodVisitor code, int in) {
    Class<?> type = made.texts().classOf(schema);
    if (type == CharSequence.class) {
      code.visitVarInsn(Opcodes.ALOAD, in);
      if (old == Old.NONE) {
        code.visitInsn(Opcodes.ACONST_NULL);
      } else {
        old.accept(code);
        ClassBody.callStatic(
            code, ReadOps.class, "utf8", "(Ljava/lang/Object;)Lorg/apache/avro/util/Utf8;");
      }
      ClassBody.callVirtual(
          code,
          Decoder.class,
          "readString",
          "(Lorg/apache/avro/util/Utf8;)Lorg/apache/avro/util/Utf8;");
    } else if (type == String.class) {
      ScalarCode.take(code, in, "readString", "()Ljava/lang/String;");
    } else {
      made.body().constant(code, made.texts(), TextClasses.class);
      made.body().constant(code, type, Class.class);
      ScalarCode.take(code, in, "readString", "()Ljava/lang/String;");
      makeText(code);
    }
  }

  private static void makeText(MethodVisitor code) {
    ClassBody.callVirtual(
        code, TextClasses.class, "make", "(Ljava/lang/Class;Ljava/lang/String;)Ljava/lang/Object;");
  }

  /**
   * Writes code that reads a fixed as a {@code GenericFixed}, or as an object of its generated
   * class.
   */
  void fixed(Schema schema, Old old, MethodVisitor code, int in) {
    old.accept(code);
    if (made.plain() && made.classOf(schema) == null) {
      made.argument(code, schema, Schema.class);
      code.visitVarInsn(Opcodes.ALOAD, in);
      ClassBody.callStatic(
          code,
          ReadOps.class,
          "fixed",
          "(Ljava/lang/Object;Lorg/apache/avro/Schema;Lorg/apache/avro/io/Decoder;)L"
              + GenericFixed.class.getName().replace('.', '/')
              + ";");
    } else {
      made.body().constant(code, made.data(), GenericData.class);
      made.argument(code, schema, Schema.class);
      code.visitVarInsn(Opcodes.ALOAD, in);
      ClassBody.callStatic(code, ReadOps.class, "fixed", ReaderClass.OPERATION);
    }
  }

  /** Writes code that reads bytes as a string. */
  void textOfBytes(Schema schema, MethodVisitor code, int in) {
    Class<?> type = made.texts().classOf(schema);
    boolean other = type != CharSequence.class && type != String.class;
    if (other) {
      made.body().constant(code, made.texts(), TextClasses.class);
      made.body().constant(code, type, Class.class);
    }
    code.visitVarInsn(Opcodes.ALOAD, in);
    if (type == CharSequence.class) {
      ClassBody.callStatic(
          code,
          ReadOps.class,
          "textOfBytes",
          "(Lorg/apache/avro/io/Decoder;)Lorg/apache/avro/util/Utf8;");
    } else {
      ClassBody.callStatic(
          code, ReadOps.class, "stringOfBytes", "(Lorg/apache/avro/io/Decoder;)Ljava/lang/String;");
    }
    if (other) {
      makeText(code);
    }
  }
}
