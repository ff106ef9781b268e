package io.tidemark.avro.object.write;

import io.tidemark.avro.object.code.ClassBody;
import io.tidemark.avro.object.code.ObjectClasses;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.avro.LogicalType;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.io.Encoder;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Generates the class that writes objects as data of a schema. Used by one thread, for one class.
 *
 * <p>Records, arrays, maps and larger unions have methods of their own.
 */
public final class WriterCode {
  private static final String OPERATION =
      "(Ljava/lang/Object;Lorg/apache/avro/io/Encoder;Lio/tidemark/avro/object/write/AvroWriter;"
          + "Lorg/apache/avro/Schema;)V";

  private final WriterClass made;
  private final UnionCode unions;
  private final ContainerCode containers;
  private final RecordCode records;

  /** The names of methods, by the simple schema of the values that they write. */
  private final Map<Schema, String> shared = new HashMap<>();

  private WriterCode(WriterClass made) {
    this.made = made;
    unions = new UnionCode(made, this);
    containers = new ContainerCode(this);
    records = new RecordCode(made, this);
  }

  /**
   * Generates the class for a schema.
   *
   * @throws IllegalArgumentException if the JVM rejects the class, or the class is too large
   */
  public static ObjectWriter compile(Schema schema, GenericData data, ObjectClasses classes) {
    return classes.make(
        MethodHandles.lookup(),
        ObjectWriter.class,
        out -> {
          var code = new WriterCode(WriterClass.of(data, out));
          code.write(schema);
          return code.made.body();
        });
  }

  private void write(Schema schema) {
    made.body()
        .method(
            0,
            "write",
            WriterClass.VALUE,
            visitor -> {
              value(schema, visitor, 1, 2, 3);
              visitor.visitInsn(Opcodes.RETURN);
            });
  }

  /**
   * Writes code that encodes the value in a local variable.
   *
   * @param from the variable with the value
   * @param out the variable with the encoder
   * @param free the first unused variable
   */
  void value(Schema schema, MethodVisitor code, int from, int out, int free) {
    LogicalType type = schema.getLogicalType();
    if (type == null) {
      raw(schema, code, from, out, free);
      return;
    }
    code.visitVarInsn(Opcodes.ALOAD, from);
    made.body().constant(code, schema, Schema.class);
    made.body().constant(code, type, LogicalType.class);
    made.body().constant(code, made.avro(), AvroWriter.class);
    ClassBody.callStatic(
        code,
        WriteOps.class,
        "converted",
        "(Ljava/lang/Object;Lorg/apache/avro/Schema;Lorg/apache/avro/LogicalType;"
            + "Lio/tidemark/avro/object/write/AvroWriter;)Ljava/lang/Object;");
    code.visitVarInsn(Opcodes.ASTORE, free);
    raw(schema, code, free, out, free + 1);
  }

  /** Writes code that encodes the value in a local variable without converting it. */
  void raw(Schema schema, MethodVisitor code, int from, int out, int free) {
    switch (schema.getType()) {
      case NULL -> {
        code.visitVarInsn(Opcodes.ALOAD, out);
        ClassBody.callVirtual(code, Encoder.class, "writeNull", "()V");
      }
      case BOOLEAN -> {
        arguments(code, from, out, Boolean.class);
        ClassBody.callVirtual(code, Boolean.class, "booleanValue", "()Z");
        ClassBody.callVirtual(code, Encoder.class, "writeBoolean", "(Z)V");
      }
      case INT -> number(code, from, out, "intOf", "writeInt", "I");
      case LONG -> number(code, from, out, "longOf", "writeLong", "J");
      case FLOAT -> number(code, from, out, "floatOf", "writeFloat", "F");
      case DOUBLE -> number(code, from, out, "doubleOf", "writeDouble", "D");
      case STRING -> operation(schema, code, from, out, "text");
      case ENUM -> operation(schema, code, from, out, "symbol");
      case BYTES -> {
        arguments(code, from, out, ByteBuffer.class);
        ClassBody.callVirtual(code, Encoder.class, "writeBytes", "(Ljava/nio/ByteBuffer;)V");
      }
      case FIXED -> {
        arguments(code, from, out, GenericFixed.class);
        ClassBody.callVirtual(code, GenericFixed.class, "bytes", "()[B");
        ClassBody.push(code, 0);
        ClassBody.push(code, schema.getFixedSize());
        ClassBody.callVirtual(code, Encoder.class, "writeFixed", "([BII)V");
      }
      case RECORD -> made.call(records.method(schema), code, from, out);
      case ARRAY ->
          viaMethod("array", schema, code, from, out, method -> containers.array(schema, method));
      case MAP ->
          viaMethod("map", schema, code, from, out, method -> containers.map(schema, method));
      case UNION -> {
        if (schema.getTypes().size() > 2 || isSimple(schema)) {
          viaMethod(
              "union", schema, code, from, out, method -> unions.union(schema, method, 0, 1, 2));
        } else {
          unions.union(schema, code, from, out, free);
        }
      }
    }
  }

  /** Writes code that pushes the encoder and the value, cast to a class. */
  private static void arguments(MethodVisitor code, int from, int out, Class<?> type) {
    code.visitVarInsn(Opcodes.ALOAD, out);
    code.visitVarInsn(Opcodes.ALOAD, from);
    ClassBody.cast(code, type);
  }

  private static void number(
      MethodVisitor code, int from, int out, String valueOf, String write, String type) {
    code.visitVarInsn(Opcodes.ALOAD, out);
    code.visitVarInsn(Opcodes.ALOAD, from);
    ClassBody.callStatic(code, WriteOps.class, valueOf, "(Ljava/lang/Object;)" + type);
    ClassBody.callVirtual(code, Encoder.class, write, "(" + type + ")V");
  }

  private void operation(Schema schema, MethodVisitor code, int from, int out, String name) {
    code.visitVarInsn(Opcodes.ALOAD, from);
    code.visitVarInsn(Opcodes.ALOAD, out);
    made.body().constant(code, made.avro(), AvroWriter.class);
    made.body().constant(code, schema, Schema.class);
    ClassBody.callStatic(code, WriteOps.class, name, OPERATION);
  }

  /**
   * Returns whether equal schemas are written by equal code: neither the schema nor any part of it
   * has a name or a logical type.
   */
  static boolean isSimple(Schema schema) {
    if (schema.getLogicalType() != null) {
      return false;
    }
    return switch (schema.getType()) {
      case RECORD, ENUM, FIXED -> false;
      case ARRAY -> isSimple(schema.getElementType());
      case MAP -> isSimple(schema.getValueType());
      case UNION -> schema.getTypes().stream().allMatch(WriterCode::isSimple);
      default -> true;
    };
  }

  /**
   * Writes a call of the method that writes a value. Fields of equal simple schemas share the
   * method. A wide record then has few methods, which the JIT compiler compiles soon.
   */
  private void viaMethod(
      String kind,
      Schema schema,
      MethodVisitor code,
      int from,
      int out,
      Consumer<MethodVisitor> write) {
    boolean simple = isSimple(schema);
    String method = simple ? shared.get(schema) : null;
    if (method == null) {
      method =
          made.body()
              .later(
                  kind,
                  WriterClass.VALUE,
                  visitor -> {
                    write.accept(visitor);
                    visitor.visitInsn(Opcodes.RETURN);
                  });
      if (simple) {
        shared.put(schema, method);
      }
    }
    made.call(method, code, from, out);
  }
}
