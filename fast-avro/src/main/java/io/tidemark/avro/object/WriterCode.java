package io.tidemark.avro.object;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.avro.LogicalType;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.Encoder;
import org.apache.avro.specific.SpecificData;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Generates the class that writes objects as data of a schema. Used by one thread, for one class.
 *
 * <p>The branch of a union is found by the object's class, where only one branch can take it; else
 * by Avro's own rules. Records, arrays, maps and larger unions have methods of their own.
 */
final class WriterCode {
  /** What fills a method of a record: a scalar counts for one, a union for its branches. */
  private static final int METHOD_WEIGHT = 24;

  private static final String VALUE = "(Ljava/lang/Object;Lorg/apache/avro/io/Encoder;)V";
  private static final String OPERATION =
      "(Ljava/lang/Object;Lorg/apache/avro/io/Encoder;Lio/tidemark/avro/object/AvroWriter;"
          + "Lorg/apache/avro/Schema;)V";
  private static final String IS_OF_SCHEMA = "(Ljava/lang/Object;Lorg/apache/avro/Schema;)Z";

  private final ClassBody body = new ClassBody("GeneratedWriter", ObjectWriter.class);
  private final GenericData data;
  private final boolean plain;
  private final AvroWriter avro;
  private final IdentityHashMap<Schema, String> records = new IdentityHashMap<>();

  private WriterCode(GenericData data) {
    this.data = data;
    plain = DataKind.of(data) == DataKind.PLAIN;
    avro = AvroWriter.of(data);
  }

  /** Generates the class of a schema. */
  static ClassBody write(Schema schema, GenericData data) {
    var code = new WriterCode(data);
    code.body.method(
        0,
        "write",
        VALUE,
        visitor -> {
          code.value(schema, visitor, 1, 2, 3);
          visitor.visitInsn(Opcodes.RETURN);
        });
    return code.body;
  }

  /**
   * Writes the value in a variable.
   *
   * @param from the variable
   * @param out the encoder's variable
   * @param free the first variable that is free
   */
  private void value(Schema schema, MethodVisitor code, int from, int out, int free) {
    LogicalType type = schema.getLogicalType();
    if (type == null) {
      raw(schema, code, from, out, free);
      return;
    }
    code.visitVarInsn(Opcodes.ALOAD, from);
    body.constant(code, schema, Schema.class);
    body.constant(code, type, LogicalType.class);
    body.constant(code, avro, AvroWriter.class);
    ClassBody.callStatic(
        code,
        WriteOps.class,
        "converted",
        "(Ljava/lang/Object;Lorg/apache/avro/Schema;Lorg/apache/avro/LogicalType;"
            + "Lio/tidemark/avro/object/AvroWriter;)Ljava/lang/Object;");
    code.visitVarInsn(Opcodes.ASTORE, free);
    raw(schema, code, free, out, free + 1);
  }

  private void raw(Schema schema, MethodVisitor code, int from, int out, int free) {
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
      case RECORD -> call(recordMethod(schema), code, from, out);
      case ARRAY -> viaMethod("array", code, from, out, method -> array(schema, method));
      case MAP -> viaMethod("map", code, from, out, method -> map(schema, method));
      case UNION -> {
        if (schema.getTypes().size() <= 2) {
          union(schema, code, from, out, free);
        } else {
          viaMethod("union", code, from, out, method -> union(schema, method, 0, 1, 2));
        }
      }
    }
  }

  /** Pushes the encoder and the value as what it has to be. */
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
    body.constant(code, avro, AvroWriter.class);
    body.constant(code, schema, Schema.class);
    ClassBody.callStatic(code, WriteOps.class, name, OPERATION);
  }

  private void call(String method, MethodVisitor code, int from, int out) {
    code.visitVarInsn(Opcodes.ALOAD, from);
    code.visitVarInsn(Opcodes.ALOAD, out);
    body.call(code, method, VALUE);
  }

  private void viaMethod(
      String kind, MethodVisitor code, int from, int out, Consumer<MethodVisitor> write) {
    String method =
        body.later(
            kind,
            VALUE,
            visitor -> {
              write.accept(visitor);
              visitor.visitInsn(Opcodes.RETURN);
            });
    call(method, code, from, out);
  }

  private void union(Schema union, MethodVisitor code, int from, int out, int free) {
    List<Schema> branches = union.getTypes();
    var labels = new Label[branches.size()];
    Arrays.setAll(labels, i -> new Label());
    var end = new Label();
    if (plain) {
      chooseByClass(branches, labels, code, from);
    }
    body.constant(code, data, GenericData.class);
    body.constant(code, union, Schema.class);
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
      value(branches.get(i), code, from, out, free);
      code.visitJumpInsn(Opcodes.GOTO, end);
    }
    code.visitLabel(end);
  }

  /**
   * Jumps to the branch of the object's class, if that alone says which it is. Avro asks the
   * conversions first, which may exist for any class, so that nothing is sure beside a logical type
   * but null.
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

  /** Replaces the object on the stack by whether it surely is of a branch. */
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
          body.constant(code, type, Class.class);
          ClassBody.callStatic(
              code, WriteOps.class, "isOf", "(Ljava/lang/Object;Ljava/lang/Class;)Z");
        }
      }
      default -> throw new IllegalArgumentException(branch.getType() + " stands in a union");
    }
  }

  private static void isInstance(MethodVisitor code, Class<?> type) {
    code.visitTypeInsn(Opcodes.INSTANCEOF, Type.getInternalName(type));
  }

  private void isOfSchema(Schema schema, String method, MethodVisitor code) {
    body.constant(code, schema, Schema.class);
    ClassBody.callStatic(code, WriteOps.class, method, IS_OF_SCHEMA);
  }

  /** The class that Avro would name as this enum. */
  private @Nullable Class<?> enumClass(Schema schema) {
    Class<?> type = data instanceof SpecificData specific ? specific.getClass(schema) : null;
    return type != null
            && type.isEnum()
            && ((SpecificData) data).getSchema(type).getFullName().equals(schema.getFullName())
        ? type
        : null;
  }

  /**
   * The array is in variable 0, the encoder in 1, the size in 2, the iterator in 3, the rest on.
   */
  private void array(Schema array, MethodVisitor code) {
    code.visitVarInsn(Opcodes.ALOAD, 0);
    ClassBody.cast(code, Collection.class);
    ClassBody.callVirtual(code, Collection.class, "size", "()I");
    code.visitVarInsn(Opcodes.ISTORE, 2);
    begin(code, "writeArrayStart");
    code.visitVarInsn(Opcodes.ALOAD, 0);
    ClassBody.cast(code, Collection.class);
    ClassBody.callVirtual(code, Collection.class, "iterator", "()Ljava/util/Iterator;");
    items(code, () -> value(array.getElementType(), code, 5, 1, 6));
    end(code, "writeArrayEnd", "array");
  }

  private void map(Schema map, MethodVisitor code) {
    code.visitVarInsn(Opcodes.ALOAD, 0);
    ClassBody.cast(code, Map.class);
    ClassBody.callVirtual(code, Map.class, "size", "()I");
    code.visitVarInsn(Opcodes.ISTORE, 2);
    begin(code, "writeMapStart");
    code.visitVarInsn(Opcodes.ALOAD, 0);
    ClassBody.cast(code, Map.class);
    ClassBody.callVirtual(code, Map.class, "entrySet", "()Ljava/util/Set;");
    ClassBody.callVirtual(code, java.util.Set.class, "iterator", "()Ljava/util/Iterator;");
    items(
        code,
        () -> {
          entry(code, "getKey");
          code.visitVarInsn(Opcodes.ALOAD, 1);
          ClassBody.callStatic(code, WriteOps.class, "key", VALUE);
          entry(code, "getValue");
          code.visitVarInsn(Opcodes.ASTORE, 6);
          value(map.getValueType(), code, 6, 1, 7);
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

  /** The iterator on the stack goes to variable 3, the count to 4, each item to 5. */
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

  private String recordMethod(Schema schema) {
    String known = records.get(schema);
    if (known != null) {
      return known;
    }
    String method = body.later("record", VALUE, code -> record(schema, code));
    records.put(schema, method);
    return method;
  }

  private void record(Schema schema, MethodVisitor code) {
    var some = new ArrayList<Schema.Field>();
    int weight = 0;
    for (Schema.Field field : schema.getFields()) {
      int more = weight(field.schema());
      if (weight > 0 && weight + more > METHOD_WEIGHT) {
        call(fieldsMethod(List.copyOf(some)), code, 0, 1);
        some.clear();
        weight = 0;
      }
      some.add(field);
      weight += more;
    }
    if (!some.isEmpty()) {
      call(fieldsMethod(List.copyOf(some)), code, 0, 1);
    }
    code.visitInsn(Opcodes.RETURN);
  }

  private static int weight(Schema schema) {
    return schema.getType() == Schema.Type.UNION && schema.getTypes().size() <= 2 ? 2 : 1;
  }

  /** The record is in variables 0 and 2, the encoder in 1, a field's value in 3. */
  private String fieldsMethod(List<Schema.Field> fields) {
    return body.later(
        "fields",
        VALUE,
        code -> {
          code.visitVarInsn(Opcodes.ALOAD, 0);
          if (plain) {
            ClassBody.cast(code, IndexedRecord.class);
          }
          code.visitVarInsn(Opcodes.ASTORE, 2);
          fields.forEach(field -> field(field, code));
          code.visitInsn(Opcodes.RETURN);
        });
  }

  private void field(Schema.Field field, MethodVisitor code) {
    LogicalType type = field.schema().getLogicalType();
    if (plain && type != null && data instanceof SpecificData) {
      code.visitVarInsn(Opcodes.ALOAD, 2);
      ClassBody.push(code, field.pos());
      body.constant(code, field.schema(), Schema.class);
      body.constant(code, type, LogicalType.class);
      body.constant(code, avro, AvroWriter.class);
      ClassBody.callStatic(
          code,
          WriteOps.class,
          "converted",
          "(Lorg/apache/avro/generic/IndexedRecord;ILorg/apache/avro/Schema;"
              + "Lorg/apache/avro/LogicalType;Lio/tidemark/avro/object/AvroWriter;)"
              + "Ljava/lang/Object;");
      code.visitVarInsn(Opcodes.ASTORE, 3);
      raw(field.schema(), code, 3, 1, 4);
      return;
    }
    if (plain) {
      code.visitVarInsn(Opcodes.ALOAD, 2);
      ClassBody.push(code, field.pos());
      ClassBody.callVirtual(code, IndexedRecord.class, "get", "(I)Ljava/lang/Object;");
    } else {
      body.constant(code, data, GenericData.class);
      code.visitVarInsn(Opcodes.ALOAD, 2);
      code.visitLdcInsn(field.name());
      ClassBody.push(code, field.pos());
      ClassBody.callVirtual(
          code,
          GenericData.class,
          "getField",
          "(Ljava/lang/Object;Ljava/lang/String;I)Ljava/lang/Object;");
    }
    code.visitVarInsn(Opcodes.ASTORE, 3);
    value(field.schema(), code, 3, 1, 4);
  }
}
