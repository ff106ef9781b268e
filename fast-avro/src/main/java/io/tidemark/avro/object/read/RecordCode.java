package io.tidemark.avro.object.read;

import io.tidemark.avro.object.code.ClassBody;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Consumer;
import org.apache.avro.AvroTypeException;
import org.apache.avro.Resolver.RecordAdjust;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificData;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Generates code that reads records. Each record has a method that creates the object, and further
 * methods that read its fields in groups.
 */
final class RecordCode {
  /**
   * The maximum weight of the fields in one method: an inlined union counts as 2, any other field
   * as 1.
   */
  private static final int METHOD_WEIGHT = 24;

  /** The minimum number of consecutive fields of one shape that are read in a loop. */
  private static final int LOOP_FIELDS = 4;

  private static final String GENERIC_FIELDS =
      "(Lorg/apache/avro/generic/IndexedRecord;ZLorg/apache/avro/io/Decoder;)V";
  private static final String OPEN_FIELDS = "(Ljava/lang/Object;ZLorg/apache/avro/io/Decoder;)V";

  private final ReaderClass made;
  private final FieldSteps fields;
  private final FieldTable table;
  private final IdentityHashMap<RecordAdjust, String> records = new IdentityHashMap<>();

  RecordCode(ReaderClass made, ReaderCode values) {
    this.made = made;
    fields = new FieldSteps(made, values);
    table = new FieldTable(made);
  }

  /** Returns the name of the method that reads a record. The method is written once. */
  String method(RecordAdjust record) {
    String known = records.get(record);
    if (known != null) {
      return known;
    }
    String method = made.body().later("record", ReaderClass.VALUE, code -> record(record, code));
    records.put(record, method);
    return method;
  }

  /**
   * Writes the method that reads a record. Local variables: 0 the old object, 1 the decoder, 2 the
   * record.
   */
  private void record(RecordAdjust record, MethodVisitor code) {
    @Nullable Class<?> type = made.classOf(record.reader);
    boolean indexed = made.plain() && (type == null || IndexedRecord.class.isAssignableFrom(type));
    if (!indexed) {
      made.body().constant(code, made.data(), GenericData.class);
      code.visitVarInsn(Opcodes.ALOAD, 0);
      made.body().constant(code, record.reader, Schema.class);
      ClassBody.callVirtual(
          code,
          GenericData.class,
          "newRecord",
          "(Ljava/lang/Object;Lorg/apache/avro/Schema;)Ljava/lang/Object;");
    } else if (type == null) {
      code.visitVarInsn(Opcodes.ALOAD, 0);
      made.body().constant(code, record.reader, Schema.class);
      ClassBody.callStatic(
          code,
          ReadOps.class,
          "record",
          "(Ljava/lang/Object;Lorg/apache/avro/Schema;)Lorg/apache/avro/generic/IndexedRecord;");
    } else {
      specificRecord(type, record.reader, code);
    }
    code.visitVarInsn(Opcodes.ASTORE, 2);
    for (Consumer<MethodVisitor> part : parts(record, type, indexed)) {
      code.visitVarInsn(Opcodes.ALOAD, 2);
      pushWhetherOld(code);
      code.visitVarInsn(Opcodes.ALOAD, 1);
      part.accept(code);
    }
    code.visitVarInsn(Opcodes.ALOAD, 2);
    code.visitInsn(Opcodes.ARETURN);
  }

  private static void pushWhetherOld(MethodVisitor code) {
    var none = new Label();
    var end = new Label();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitJumpInsn(Opcodes.IFNULL, none);
    code.visitInsn(Opcodes.ICONST_1);
    code.visitJumpInsn(Opcodes.GOTO, end);
    code.visitLabel(none);
    code.visitInsn(Opcodes.ICONST_0);
    code.visitLabel(end);
  }

  private void specificRecord(Class<?> type, Schema schema, MethodVisitor code) {
    var fresh = new Label();
    var end = new Label();
    made.body().constant(code, type, Class.class);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    ClassBody.callVirtual(code, Class.class, "isInstance", "(Ljava/lang/Object;)Z");
    code.visitJumpInsn(Opcodes.IFEQ, fresh);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    ClassBody.cast(code, IndexedRecord.class);
    code.visitJumpInsn(Opcodes.GOTO, end);
    code.visitLabel(fresh);
    made.body().constant(code, constructor(type, schema), MethodHandle.class);
    ClassBody.callVirtual(
        code, MethodHandle.class, "invokeExact", "()Lorg/apache/avro/generic/IndexedRecord;");
    code.visitLabel(end);
    ClassBody.cast(code, IndexedRecord.class);
  }

  private static MethodHandle constructor(Class<?> type, Schema schema) {
    boolean takesSchema = SpecificData.SchemaConstructable.class.isAssignableFrom(type);
    try {
      Constructor<?> constructor =
          takesSchema ? type.getDeclaredConstructor(Schema.class) : type.getDeclaredConstructor();
      constructor.setAccessible(true);
      MethodHandle handle = MethodHandles.lookup().unreflectConstructor(constructor);
      return (takesSchema ? handle.bindTo(schema) : handle)
          .asType(MethodType.methodType(IndexedRecord.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(type.getName() + " cannot be constructed: " + e, e);
    }
  }

  /**
   * Returns the parts of the code that reads the fields. Each calls a method with three arguments,
   * which are on the stack: the record, whether it is reused, and the decoder.
   */
  private List<Consumer<MethodVisitor>> parts(
      RecordAdjust record, @Nullable Class<?> type, boolean indexed) {
    String[] names =
        record.reader.getFields().stream().map(Schema.Field::name).toArray(String[]::new);
    List<FieldSteps.Step> steps = fields.steps(record, type, indexed);
    var parts = new ArrayList<Consumer<MethodVisitor>>();
    if (!made.wide()) {
      addMethods(withLoops(steps), names, indexed, parts);
      return parts;
    }
    int[] entries = table.entries(steps);
    @Nullable Object @Nullable [] arguments = FieldTable.arguments(steps);
    for (int from = 0; from < entries.length; ) {
      int to = from;
      while (to < entries.length && isInTable(entries, to) == isInTable(entries, from)) {
        to++;
      }
      if (isInTable(entries, from)) {
        int first = from;
        int end = to;
        parts.add(
            code -> table.read(entries, arguments, first, end, namesField() ? names : null, code));
      } else {
        addMethods(steps.subList(from, to), names, indexed, parts);
      }
      from = to;
    }
    return parts;
  }

  /** Returns whether a field has an entry, and one of its neighbours, too. */
  private static boolean isInTable(int[] entries, int i) {
    return entries[i] >= 0
        && ((i > 0 && entries[i - 1] >= 0) || (i + 1 < entries.length && entries[i + 1] >= 0));
  }

  private void addMethods(
      List<FieldSteps.Step> steps,
      String[] names,
      boolean indexed,
      List<Consumer<MethodVisitor>> parts) {
    String descriptor = indexed ? GENERIC_FIELDS : OPEN_FIELDS;
    for (int from = 0; from < steps.size(); ) {
      int to = from + 1;
      int weight = steps.get(from).weight();
      while (to < steps.size() && weight + steps.get(to).weight() <= METHOD_WEIGHT) {
        weight += steps.get(to++).weight();
      }
      String method = fieldsMethod(List.copyOf(steps.subList(from, to)), names, indexed);
      parts.add(code -> made.body().call(code, method, descriptor));
      from = to;
    }
  }

  /** Of Avro's two generic readers, only the slower one names the field in its errors. */
  private boolean namesField() {
    return !made.data().isFastReaderEnabled();
  }

  /**
   * Returns the name of a method that reads some fields. Local variables: 0 the record, 1 whether
   * it is reused, 2 the decoder, 3 the position of the field.
   */
  private String fieldsMethod(List<FieldSteps.Step> steps, String[] names, boolean indexed) {
    return made.body()
        .later(
            "fields",
            indexed ? GENERIC_FIELDS : OPEN_FIELDS,
            code -> {
              code.visitInsn(Opcodes.ICONST_0);
              code.visitVarInsn(Opcodes.ISTORE, 3);
              if (namesField()) {
                naming(
                    code,
                    () -> fields(steps, code),
                    () -> made.body().constant(code, names, String[].class));
              } else {
                fields(steps, code);
                code.visitInsn(Opcodes.RETURN);
              }
            });
  }

  private static void fields(List<FieldSteps.Step> steps, MethodVisitor code) {
    for (FieldSteps.Step step : steps) {
      if (step.position() >= 0) {
        ClassBody.push(code, step.position());
        code.visitVarInsn(Opcodes.ISTORE, 3);
      }
      step.write().accept(code);
    }
  }

  /**
   * Writes the rest of a method that reads fields: the given code, and a handler that adds the
   * field's name to an exception. The position of the field is in local variable 3.
   *
   * @param pushNames pushes the names of the record's fields
   */
  static void naming(MethodVisitor code, Runnable body, Runnable pushNames) {
    var begin = new Label();
    var end = new Label();
    var fault = new Label();
    code.visitTryCatchBlock(begin, end, fault, AvroTypeException.class.getName().replace('.', '/'));
    code.visitLabel(begin);
    body.run();
    code.visitInsn(Opcodes.RETURN);
    code.visitLabel(end);
    code.visitLabel(fault);
    code.visitVarInsn(Opcodes.ILOAD, 3);
    pushNames.run();
    ClassBody.callStatic(
        code,
        ReadOps.class,
        "mismatch",
        "(Lorg/apache/avro/AvroTypeException;I[Ljava/lang/String;)"
            + "Lorg/apache/avro/AvroTypeException;");
    code.visitInsn(Opcodes.ATHROW);
  }

  /**
   * Joins fields of the same shape into loops. A loop of strings is faster than the same code once
   * for each field, because the loop stays in the processor's cache.
   */
  private static List<FieldSteps.Step> withLoops(List<FieldSteps.Step> steps) {
    var joined = new ArrayList<FieldSteps.Step>();
    for (int from = 0; from < steps.size(); ) {
      FieldSteps.Step first = steps.get(from);
      int to = from + 1;
      while (to < steps.size()
          && first.shape() != null
          && first.shape().equals(steps.get(to).shape())
          && steps.get(to).position() == steps.get(to - 1).position() + 1) {
        to++;
      }
      if (to - from < LOOP_FIELDS) {
        joined.add(first);
        from++;
      } else {
        int last = steps.get(to - 1).position();
        joined.add(
            FieldSteps.Step.alone(
                first.weight(), first.position(), code -> loop(first, last, code)));
        from = to;
      }
    }
    return joined;
  }

  /**
   * Writes a loop over fields. The position of the field is in local variable 3, which the caller
   * has set to the first field.
   */
  private static void loop(FieldSteps.Step step, int last, MethodVisitor code) {
    var next = new Label();
    var end = new Label();
    code.visitLabel(next);
    code.visitVarInsn(Opcodes.ILOAD, 3);
    ClassBody.push(code, last);
    code.visitJumpInsn(Opcodes.IF_ICMPGT, end);
    step.write().accept(code);
    code.visitIincInsn(3, 1);
    code.visitJumpInsn(Opcodes.GOTO, next);
    code.visitLabel(end);
  }
}
