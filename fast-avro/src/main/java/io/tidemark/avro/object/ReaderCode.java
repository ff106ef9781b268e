package io.tidemark.avro.object;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.avro.AvroTypeException;
import org.apache.avro.Conversion;
import org.apache.avro.Conversions;
import org.apache.avro.LogicalType;
import org.apache.avro.Resolver;
import org.apache.avro.Resolver.Action;
import org.apache.avro.Resolver.Container;
import org.apache.avro.Resolver.EnumAdjust;
import org.apache.avro.Resolver.ReaderUnion;
import org.apache.avro.Resolver.RecordAdjust;
import org.apache.avro.Resolver.WriterUnion;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Generates the class that reads data of one schema as objects of another. Used by one thread, for
 * one class.
 *
 * <p>It follows the actions of Avro's resolver. Each value is read by code that leaves it, boxed,
 * on the stack. Records, arrays, maps and larger unions have methods of their own.
 */
final class ReaderCode {
  /** What fills a method of a record: a scalar counts for one, a union for its branches. */
  private static final int METHOD_WEIGHT = 24;

  /** From how many fields of a shape on they are read in a loop. */
  private static final int LOOP_FIELDS = 4;

  private static final String VALUE =
      "(Ljava/lang/Object;Lorg/apache/avro/io/Decoder;)Ljava/lang/Object;";
  private static final String GENERIC_FIELDS =
      "(Lorg/apache/avro/generic/IndexedRecord;ZLorg/apache/avro/io/Decoder;)V";
  private static final String OPEN_FIELDS = "(Ljava/lang/Object;ZLorg/apache/avro/io/Decoder;)V";
  private static final String ARRAY_OPERATION =
      "(Ljava/lang/Object;Lorg/apache/avro/generic/GenericData;Lorg/apache/avro/Schema;"
          + "Lorg/apache/avro/io/Decoder;)Ljava/lang/Object;";

  private final ClassBody body = new ClassBody("GeneratedReader", ObjectReader.class);
  private final GenericData data;
  private final boolean plain;
  private final TextClasses texts;
  private final IdentityHashMap<RecordAdjust, String> records = new IdentityHashMap<>();

  /** Pushes the object whose parts a value may reuse, or null. */
  private interface Old extends Consumer<MethodVisitor> {}

  private static final Old NONE = ReaderCode::pushNull;

  /** The first argument of a value's method. */
  private static final Old ARGUMENT = ReaderCode::pushArgument;

  private static void pushNull(MethodVisitor code) {
    code.visitInsn(Opcodes.ACONST_NULL);
  }

  private static void pushArgument(MethodVisitor code) {
    code.visitVarInsn(Opcodes.ALOAD, 0);
  }

  private ReaderCode(GenericData data) {
    this.data = data;
    plain = DataKind.of(data) == DataKind.PLAIN;
    texts = TextClasses.of(data);
  }

  /** Generates the class of two schemas. */
  static ClassBody write(Schema writer, Schema reader, GenericData data) {
    var code = new ReaderCode(data);
    code.write(Resolver.resolve(writer, reader, data));
    return code.body;
  }

  private void write(Action root) {
    body.method(
        0,
        "read",
        VALUE,
        code -> {
          value(root, root.conversion, c -> c.visitVarInsn(Opcodes.ALOAD, 1), code, 2);
          code.visitInsn(Opcodes.ARETURN);
        });
  }

  /** Reads a value and converts it to its logical type, if there is a conversion. */
  private void value(
      Action action, @Nullable Conversion<?> conversion, Old old, MethodVisitor code, int in) {
    raw(action, old, code, in);
    if (conversion != null) {
      body.constant(code, action.reader, Schema.class);
      body.constant(code, action.reader.getLogicalType(), LogicalType.class);
      body.constant(code, conversion, Conversion.class);
      ClassBody.callStatic(
          code,
          Conversions.class,
          "convertToLogicalType",
          "(Ljava/lang/Object;Lorg/apache/avro/Schema;Lorg/apache/avro/LogicalType;"
              + "Lorg/apache/avro/Conversion;)Ljava/lang/Object;");
    }
  }

  private void raw(Action action, Old old, MethodVisitor code, int in) {
    switch (action.type) {
      case DO_NOTHING -> same(action.reader, old, code, in);
      case PROMOTE -> promoted(action, code, in);
      case CONTAINER -> {
        if (action.reader.getType() == Schema.Type.MAP) {
          viaMethod("map", old, code, in, method -> map((Container) action, method));
        } else {
          array((Container) action, old, code, in);
        }
      }
      case ENUM -> {
        var adjust = (EnumAdjust) action;
        body.constant(code, adjust.values, Object[].class);
        body.constant(code, adjust.writer, Schema.class);
        code.visitVarInsn(Opcodes.ALOAD, in);
        ClassBody.callStatic(
            code,
            ReadOps.class,
            "symbol",
            "([Ljava/lang/Object;Lorg/apache/avro/Schema;Lorg/apache/avro/io/Decoder;)"
                + "Ljava/lang/Object;");
      }
      case RECORD -> {
        old.accept(code);
        code.visitVarInsn(Opcodes.ALOAD, in);
        body.call(code, recordMethod((RecordAdjust) action), VALUE);
      }
      case WRITER_UNION -> {
        var union = (WriterUnion) action;
        if (union.actions.length <= 2) {
          union(union, old, code, in);
        } else {
          viaMethod("union", old, code, in, method -> union(union, ARGUMENT, method, 1));
        }
      }
      case READER_UNION -> {
        Action actual = ((ReaderUnion) action).actualAction;
        value(actual, actual.conversion, old, code, in);
      }
      case ERROR -> {
        code.visitLdcInsn(action.toString());
        ClassBody.callStatic(
            code, ReadOps.class, "refuse", "(Ljava/lang/String;)Ljava/lang/Object;");
      }
      default -> throw new IllegalArgumentException("no code for " + action.type);
    }
  }

  private void viaMethod(
      String kind, Old old, MethodVisitor code, int in, Consumer<MethodVisitor> write) {
    String method =
        body.later(
            kind,
            VALUE,
            visitor -> {
              write.accept(visitor);
              visitor.visitInsn(Opcodes.ARETURN);
            });
    old.accept(code);
    code.visitVarInsn(Opcodes.ALOAD, in);
    body.call(code, method, VALUE);
  }

  private void same(Schema schema, Old old, MethodVisitor code, int in) {
    switch (schema.getType()) {
      case NULL -> {
        take(code, in, "readNull", "()V");
        code.visitInsn(Opcodes.ACONST_NULL);
      }
      case BOOLEAN, INT, LONG, FLOAT, DOUBLE -> {
        scalar(schema.getType(), code, in);
        box(schema.getType(), code);
      }
      case STRING -> text(schema, old, code, in);
      case BYTES -> {
        code.visitVarInsn(Opcodes.ALOAD, in);
        old.accept(code);
        ClassBody.callStatic(
            code, ReadOps.class, "buffer", "(Ljava/lang/Object;)Ljava/nio/ByteBuffer;");
        ClassBody.callVirtual(
            code, Decoder.class, "readBytes", "(Ljava/nio/ByteBuffer;)Ljava/nio/ByteBuffer;");
      }
      case FIXED -> fixed(schema, old, code, in);
      default -> throw new IllegalArgumentException("no code for " + schema.getType());
    }
  }

  private void text(Schema schema, Old old, MethodVisitor code, int in) {
    Class<?> type = texts.classOf(schema);
    if (type == CharSequence.class) {
      code.visitVarInsn(Opcodes.ALOAD, in);
      if (old == NONE) {
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
      take(code, in, "readString", "()Ljava/lang/String;");
    } else {
      body.constant(code, texts, TextClasses.class);
      body.constant(code, type, Class.class);
      take(code, in, "readString", "()Ljava/lang/String;");
      makeText(code);
    }
  }

  private static void makeText(MethodVisitor code) {
    ClassBody.callVirtual(
        code, TextClasses.class, "make", "(Ljava/lang/Class;Ljava/lang/String;)Ljava/lang/Object;");
  }

  private void fixed(Schema schema, Old old, MethodVisitor code, int in) {
    old.accept(code);
    if (plain && classOf(schema) == null) {
      body.constant(code, schema, Schema.class);
      ClassBody.push(code, schema.getFixedSize());
      code.visitVarInsn(Opcodes.ALOAD, in);
      ClassBody.callStatic(
          code,
          ReadOps.class,
          "fixed",
          "(Ljava/lang/Object;Lorg/apache/avro/Schema;ILorg/apache/avro/io/Decoder;)L"
              + GenericFixed.class.getName().replace('.', '/')
              + ";");
    } else {
      body.constant(code, data, GenericData.class);
      body.constant(code, schema, Schema.class);
      code.visitVarInsn(Opcodes.ALOAD, in);
      ClassBody.callStatic(code, ReadOps.class, "fixed", ARRAY_OPERATION);
    }
  }

  private void promoted(Action action, MethodVisitor code, int in) {
    Schema.Type from = action.writer.getType();
    Schema.Type to = action.reader.getType();
    switch (to) {
      case STRING -> textOfBytes(action.reader, code, in);
      case BYTES -> {
        code.visitVarInsn(Opcodes.ALOAD, in);
        ClassBody.callStatic(
            code,
            ReadOps.class,
            "bytesOfText",
            "(Lorg/apache/avro/io/Decoder;)Ljava/nio/ByteBuffer;");
      }
      default -> {
        scalar(from, code, in);
        code.visitInsn(widening(from, to));
        box(to, code);
      }
    }
  }

  private void textOfBytes(Schema schema, MethodVisitor code, int in) {
    Class<?> type = texts.classOf(schema);
    boolean other = type != CharSequence.class && type != String.class;
    if (other) {
      body.constant(code, texts, TextClasses.class);
      body.constant(code, type, Class.class);
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

  private static void scalar(Schema.Type type, MethodVisitor code, int in) {
    switch (type) {
      case BOOLEAN -> take(code, in, "readBoolean", "()Z");
      case INT -> take(code, in, "readInt", "()I");
      case LONG -> take(code, in, "readLong", "()J");
      case FLOAT -> take(code, in, "readFloat", "()F");
      case DOUBLE -> take(code, in, "readDouble", "()D");
      default -> throw new IllegalArgumentException(type + " is no scalar");
    }
  }

  private static void box(Schema.Type type, MethodVisitor code) {
    switch (type) {
      case BOOLEAN ->
          ClassBody.callStatic(code, Boolean.class, "valueOf", "(Z)Ljava/lang/Boolean;");
      case INT -> ClassBody.callStatic(code, Integer.class, "valueOf", "(I)Ljava/lang/Integer;");
      case LONG -> ClassBody.callStatic(code, Long.class, "valueOf", "(J)Ljava/lang/Long;");
      case FLOAT -> ClassBody.callStatic(code, Float.class, "valueOf", "(F)Ljava/lang/Float;");
      case DOUBLE -> ClassBody.callStatic(code, Double.class, "valueOf", "(D)Ljava/lang/Double;");
      default -> throw new IllegalArgumentException(type + " is no scalar");
    }
  }

  /** Calls a method of the decoder. */
  private static void take(MethodVisitor code, int in, String method, String descriptor) {
    code.visitVarInsn(Opcodes.ALOAD, in);
    ClassBody.callVirtual(code, Decoder.class, method, descriptor);
  }

  private void union(WriterUnion union, Old old, MethodVisitor code, int in) {
    var labels = new Label[union.actions.length];
    Arrays.setAll(labels, i -> new Label());
    var none = new Label();
    var end = new Label();
    take(code, in, "readIndex", "()I");
    if (labels.length > 0) {
      ClassBody.choose(code, labels, none);
    } else {
      code.visitInsn(Opcodes.POP);
    }
    boolean readsUnion = union.reader.getType() == Schema.Type.UNION;
    for (int i = 0; i < labels.length; i++) {
      code.visitLabel(labels[i]);
      Action branch = union.actions[i];
      if (readsUnion) {
        value(branch, branch.conversion, old, code, in);
      } else {
        // Whoever reads the value of the union converts it.
        raw(branch, old, code, in);
      }
      code.visitJumpInsn(Opcodes.GOTO, end);
    }
    code.visitLabel(none);
    ClassBody.push(code, labels.length);
    ClassBody.callStatic(code, ReadOps.class, "noBranch", "(I)Lorg/apache/avro/AvroTypeException;");
    code.visitInsn(Opcodes.ATHROW);
    code.visitLabel(end);
  }

  private void array(Container array, Old old, MethodVisitor code, int in) {
    Action items = array.elementAction;
    if (items.type == Action.Type.DO_NOTHING && items.conversion == null) {
      String operation =
          switch (items.reader.getType()) {
            case BOOLEAN -> "booleans";
            case INT -> "ints";
            case LONG -> "longs";
            case FLOAT -> "floats";
            case DOUBLE -> "doubles";
            default -> "";
          };
      if (!operation.isEmpty()) {
        old.accept(code);
        body.constant(code, data, GenericData.class);
        body.constant(code, array.reader, Schema.class);
        code.visitVarInsn(Opcodes.ALOAD, in);
        ClassBody.callStatic(code, ReadOps.class, operation, ARRAY_OPERATION);
        return;
      }
    }
    viaMethod("array", old, code, in, method -> arrayOfObjects(array, method));
  }

  /** Old is in variable 0, the decoder in 1, the count in 2, the array in 4, the index in 6. */
  private void arrayOfObjects(Container array, MethodVisitor code) {
    take(code, 1, "readArrayStart", "()J");
    code.visitVarInsn(Opcodes.LSTORE, 2);
    body.constant(code, data, GenericData.class);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitVarInsn(Opcodes.LLOAD, 2);
    code.visitInsn(Opcodes.L2I);
    body.constant(code, array.reader, Schema.class);
    ClassBody.callVirtual(
        code,
        GenericData.class,
        "newArray",
        "(Ljava/lang/Object;ILorg/apache/avro/Schema;)Ljava/lang/Object;");
    code.visitVarInsn(Opcodes.ASTORE, 4);
    Action items = array.elementAction;
    loop(
        code,
        "arrayNext",
        () -> {
          code.visitVarInsn(Opcodes.ALOAD, 4);
          ClassBody.cast(code, Collection.class);
          value(items, items.conversion, ReaderCode::peek, code, 1);
          ClassBody.callVirtual(code, Collection.class, "add", "(Ljava/lang/Object;)Z");
          code.visitInsn(Opcodes.POP);
        });
    code.visitVarInsn(Opcodes.ALOAD, 4);
    ClassBody.callStatic(code, ReadOps.class, "prune", "(Ljava/lang/Object;)Ljava/lang/Object;");
  }

  private static void peek(MethodVisitor code) {
    code.visitVarInsn(Opcodes.ALOAD, 4);
    ClassBody.callStatic(code, ReadOps.class, "peek", "(Ljava/lang/Object;)Ljava/lang/Object;");
  }

  private void map(Container map, MethodVisitor code) {
    take(code, 1, "readMapStart", "()J");
    code.visitVarInsn(Opcodes.LSTORE, 2);
    body.constant(code, data, GenericData.class);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitVarInsn(Opcodes.LLOAD, 2);
    code.visitInsn(Opcodes.L2I);
    ClassBody.callVirtual(
        code, GenericData.class, "newMap", "(Ljava/lang/Object;I)Ljava/lang/Object;");
    code.visitVarInsn(Opcodes.ASTORE, 4);
    Action values = map.elementAction;
    loop(
        code,
        "mapNext",
        () -> {
          code.visitVarInsn(Opcodes.ALOAD, 4);
          ClassBody.cast(code, Map.class);
          text(map.reader, NONE, code, 1);
          value(values, values.conversion, NONE, code, 1);
          ClassBody.callVirtual(
              code, Map.class, "put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;");
          code.visitInsn(Opcodes.POP);
        });
    code.visitVarInsn(Opcodes.ALOAD, 4);
  }

  /** Does something for each item of each block. */
  private static void loop(MethodVisitor code, String next, Runnable item) {
    var block = new Label();
    var items = new Label();
    var nextBlock = new Label();
    var end = new Label();
    code.visitLabel(block);
    code.visitVarInsn(Opcodes.LLOAD, 2);
    code.visitInsn(Opcodes.LCONST_0);
    code.visitInsn(Opcodes.LCMP);
    code.visitJumpInsn(Opcodes.IFLE, end);
    code.visitInsn(Opcodes.LCONST_0);
    code.visitVarInsn(Opcodes.LSTORE, 6);
    code.visitLabel(items);
    code.visitVarInsn(Opcodes.LLOAD, 6);
    code.visitVarInsn(Opcodes.LLOAD, 2);
    code.visitInsn(Opcodes.LCMP);
    code.visitJumpInsn(Opcodes.IFGE, nextBlock);
    item.run();
    code.visitVarInsn(Opcodes.LLOAD, 6);
    code.visitInsn(Opcodes.LCONST_1);
    code.visitInsn(Opcodes.LADD);
    code.visitVarInsn(Opcodes.LSTORE, 6);
    code.visitJumpInsn(Opcodes.GOTO, items);
    code.visitLabel(nextBlock);
    take(code, 1, next, "()J");
    code.visitVarInsn(Opcodes.LSTORE, 2);
    code.visitJumpInsn(Opcodes.GOTO, block);
    code.visitLabel(end);
  }

  private String recordMethod(RecordAdjust record) {
    String known = records.get(record);
    if (known != null) {
      return known;
    }
    String method = body.later("record", VALUE, code -> record(record, code));
    records.put(record, method);
    return method;
  }

  /** Old is in variable 0, the decoder in 1, the record in 2. */
  private void record(RecordAdjust record, MethodVisitor code) {
    @Nullable Class<?> type = classOf(record.reader);
    boolean indexed = plain && (type == null || IndexedRecord.class.isAssignableFrom(type));
    if (!indexed) {
      body.constant(code, data, GenericData.class);
      code.visitVarInsn(Opcodes.ALOAD, 0);
      body.constant(code, record.reader, Schema.class);
      ClassBody.callVirtual(
          code,
          GenericData.class,
          "newRecord",
          "(Ljava/lang/Object;Lorg/apache/avro/Schema;)Ljava/lang/Object;");
    } else if (type == null) {
      code.visitVarInsn(Opcodes.ALOAD, 0);
      body.constant(code, record.reader, Schema.class);
      ClassBody.callStatic(
          code,
          ReadOps.class,
          "record",
          "(Ljava/lang/Object;Lorg/apache/avro/Schema;)Lorg/apache/avro/generic/IndexedRecord;");
    } else {
      specificRecord(type, record.reader, code);
    }
    code.visitVarInsn(Opcodes.ASTORE, 2);
    String descriptor = indexed ? GENERIC_FIELDS : OPEN_FIELDS;
    for (String method : fieldMethods(record, type, indexed)) {
      code.visitVarInsn(Opcodes.ALOAD, 2);
      pushWhetherOld(code);
      code.visitVarInsn(Opcodes.ALOAD, 1);
      body.call(code, method, descriptor);
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
    body.constant(code, type, Class.class);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    ClassBody.callVirtual(code, Class.class, "isInstance", "(Ljava/lang/Object;)Z");
    code.visitJumpInsn(Opcodes.IFEQ, fresh);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    ClassBody.cast(code, IndexedRecord.class);
    code.visitJumpInsn(Opcodes.GOTO, end);
    code.visitLabel(fresh);
    body.constant(code, constructor(type, schema), MethodHandle.class);
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
   * A step of a record's code.
   *
   * @param position the field that it sets, or -1
   * @param shape equal for fields whose code is the same but for the position; null if it is not
   *     known
   */
  private record Step(
      int weight, int position, @Nullable String shape, Consumer<MethodVisitor> write) {}

  private List<String> fieldMethods(RecordAdjust record, @Nullable Class<?> type, boolean indexed) {
    String[] names =
        record.reader.getFields().stream().map(Schema.Field::name).toArray(String[]::new);
    var methods = new ArrayList<String>();
    var some = new ArrayList<Step>();
    int weight = 0;
    for (Step step : withLoops(steps(record, type, indexed))) {
      if (weight > 0 && weight + step.weight() > METHOD_WEIGHT) {
        methods.add(fieldsMethod(List.copyOf(some), names, indexed));
        some.clear();
        weight = 0;
      }
      some.add(step);
      weight += step.weight();
    }
    if (!some.isEmpty()) {
      methods.add(fieldsMethod(List.copyOf(some), names, indexed));
    }
    return methods;
  }

  /** The record is in variable 0, whether it is reused in 1, the decoder in 2, the field in 3. */
  private String fieldsMethod(List<Step> steps, String[] names, boolean indexed) {
    return body.later(
        "fields",
        indexed ? GENERIC_FIELDS : OPEN_FIELDS,
        code -> {
          var begin = new Label();
          var end = new Label();
          var fault = new Label();
          // Of Avro's two readers of generic data, the slower one names the field.
          boolean namesField = !data.isFastReaderEnabled();
          if (namesField) {
            code.visitTryCatchBlock(
                begin, end, fault, AvroTypeException.class.getName().replace('.', '/'));
          }
          code.visitInsn(Opcodes.ICONST_0);
          code.visitVarInsn(Opcodes.ISTORE, 3);
          code.visitLabel(begin);
          for (Step step : steps) {
            if (step.position() >= 0) {
              ClassBody.push(code, step.position());
              code.visitVarInsn(Opcodes.ISTORE, 3);
            }
            step.write().accept(code);
          }
          code.visitInsn(Opcodes.RETURN);
          code.visitLabel(end);
          if (!namesField) {
            return;
          }
          code.visitLabel(fault);
          code.visitVarInsn(Opcodes.ILOAD, 3);
          body.constant(code, names, String[].class);
          ClassBody.callStatic(
              code,
              ReadOps.class,
              "mismatch",
              "(Lorg/apache/avro/AvroTypeException;I[Ljava/lang/String;)"
                  + "Lorg/apache/avro/AvroTypeException;");
          code.visitInsn(Opcodes.ATHROW);
        });
  }

  /**
   * Joins fields of the same shape into loops. A loop of strings runs quicker than a row of them:
   * its code stays in the processor's cache.
   */
  private static List<Step> withLoops(List<Step> steps) {
    var joined = new ArrayList<Step>();
    for (int from = 0; from < steps.size(); ) {
      Step first = steps.get(from);
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
            new Step(first.weight(), first.position(), null, code -> loop(first, last, code)));
        from = to;
      }
    }
    return joined;
  }

  /** The field is in variable 3, where the step before this has put the first. */
  private static void loop(Step step, int last, MethodVisitor code) {
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

  private List<Step> steps(RecordAdjust record, @Nullable Class<?> type, boolean indexed) {
    @Nullable SpecificRecordBase sample = sample(record.reader, type);
    var steps = new ArrayList<Step>();
    int next = 0;
    for (Action action : record.fieldActions) {
      if (action.type == Action.Type.SKIP) {
        steps.add(new Step(1, -1, null, code -> skip(action.writer, code)));
      } else {
        Schema.Field field = record.readerOrder[next++];
        @Nullable Conversion<?> conversion =
            sample == null ? action.conversion : sample.getConversion(field.pos());
        steps.add(
            new Step(
                weight(action),
                field.pos(),
                indexed && conversion == null ? shape(action) : null,
                code ->
                    set(
                        field,
                        indexed,
                        code,
                        () -> value(action, conversion, old(field, indexed), code, 2))));
      }
    }
    for (; next < record.readerOrder.length; next++) {
      Schema.Field field = record.readerOrder[next];
      @Nullable Object value = record.defaults[next - record.firstDefault];
      steps.add(
          new Step(
              1,
              field.pos(),
              null,
              code ->
                  set(field, indexed, code, () -> defaultOf(field, value, sample, indexed, code))));
    }
    return steps;
  }

  /** What a value's code depends on, if it is simple. */
  private @Nullable String shape(Action action) {
    if (action instanceof WriterUnion union && union.actions.length <= 2) {
      var shape = new StringBuilder("union");
      for (Action branch : union.actions) {
        Action actual = branch instanceof ReaderUnion choice ? choice.actualAction : branch;
        String branchShape = actual.conversion == null ? shape(actual) : null;
        if (branchShape == null) {
          return null;
        }
        shape.append(' ').append(branchShape);
      }
      return shape.toString();
    }
    if (action.type != Action.Type.DO_NOTHING) {
      return null;
    }
    return switch (action.reader.getType()) {
      case FIXED -> null;
      case STRING -> texts.classOf(action.reader).getName();
      default -> action.reader.getType().name();
    };
  }

  /**
   * A record of the class that says which conversions its fields have, if it is of such a class.
   */
  private @Nullable SpecificRecordBase sample(Schema schema, @Nullable Class<?> type) {
    return type != null
            && SpecificRecordBase.class.isAssignableFrom(type)
            && data.newRecord(null, schema) instanceof SpecificRecordBase record
        ? record
        : null;
  }

  private static int weight(Action action) {
    if (action instanceof ReaderUnion union) {
      return weight(union.actualAction);
    }
    return action instanceof WriterUnion union && union.actions.length <= 2 ? 2 : 1;
  }

  private void set(Schema.Field field, boolean indexed, MethodVisitor code, Runnable value) {
    if (indexed) {
      code.visitVarInsn(Opcodes.ALOAD, 0);
      code.visitVarInsn(Opcodes.ILOAD, 3);
      value.run();
      ClassBody.callVirtual(code, IndexedRecord.class, "put", "(ILjava/lang/Object;)V");
    } else {
      body.constant(code, data, GenericData.class);
      code.visitVarInsn(Opcodes.ALOAD, 0);
      code.visitLdcInsn(field.name());
      ClassBody.push(code, field.pos());
      value.run();
      ClassBody.callVirtual(
          code,
          GenericData.class,
          "setField",
          "(Ljava/lang/Object;Ljava/lang/String;ILjava/lang/Object;)V");
    }
  }

  private Old old(Schema.Field field, boolean indexed) {
    if (indexed) {
      return code -> {
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitVarInsn(Opcodes.ILOAD, 1);
        code.visitVarInsn(Opcodes.ILOAD, 3);
        ClassBody.callStatic(
            code,
            ReadOps.class,
            "old",
            "(Lorg/apache/avro/generic/IndexedRecord;ZI)Ljava/lang/Object;");
      };
    }
    return code -> {
      var none = new Label();
      var end = new Label();
      code.visitVarInsn(Opcodes.ILOAD, 1);
      code.visitJumpInsn(Opcodes.IFEQ, none);
      body.constant(code, data, GenericData.class);
      code.visitVarInsn(Opcodes.ALOAD, 0);
      code.visitLdcInsn(field.name());
      ClassBody.push(code, field.pos());
      ClassBody.callVirtual(
          code,
          GenericData.class,
          "getField",
          "(Ljava/lang/Object;Ljava/lang/String;I)Ljava/lang/Object;");
      code.visitJumpInsn(Opcodes.GOTO, end);
      code.visitLabel(none);
      code.visitInsn(Opcodes.ACONST_NULL);
      code.visitLabel(end);
    };
  }

  /** Reads a default as Avro does: from its encoding, by the reader's schema. */
  private void defaultOf(
      Schema.Field field,
      @Nullable Object value,
      @Nullable SpecificRecordBase sample,
      boolean indexed,
      MethodVisitor code) {
    Action action = Resolver.resolve(field.schema(), field.schema(), data);
    @Nullable Conversion<?> conversion =
        sample == null ? action.conversion : sample.getConversion(field.pos());
    boolean constant = value instanceof Number || value instanceof Boolean || value == null;
    if (constant && field.schema().getLogicalType() == null && conversion == null) {
      body.constant(code, value, Object.class);
      return;
    }
    String method =
        body.later(
            "default",
            VALUE,
            visitor -> {
              value(action, conversion, ARGUMENT, visitor, 1);
              visitor.visitInsn(Opcodes.ARETURN);
            });
    old(field, indexed).accept(code);
    body.constant(code, encoded(field.schema(), value), byte[].class);
    ClassBody.callStatic(code, ReadOps.class, "decoder", "([B)Lorg/apache/avro/io/Decoder;");
    body.call(code, method, VALUE);
  }

  @SuppressWarnings("unchecked") // Avro's data say of their writers only that they are writers.
  private byte[] encoded(Schema schema, @Nullable Object value) {
    var out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    try {
      data.createDatumWriter(schema).write(value, encoder);
      encoder.flush();
    } catch (IOException e) {
      // A stream in memory has no I/O to fail.
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private void skip(Schema schema, MethodVisitor code) {
    switch (schema.getType()) {
      case NULL -> take(code, 2, "readNull", "()V");
      case BOOLEAN, INT, FLOAT -> {
        scalar(schema.getType(), code, 2);
        code.visitInsn(Opcodes.POP);
      }
      case LONG, DOUBLE -> {
        scalar(schema.getType(), code, 2);
        code.visitInsn(Opcodes.POP2);
      }
      case STRING -> take(code, 2, "skipString", "()V");
      case BYTES -> take(code, 2, "skipBytes", "()V");
      default -> {
        body.constant(code, schema, Schema.class);
        code.visitVarInsn(Opcodes.ALOAD, 2);
        ClassBody.callStatic(
            code,
            GenericDatumReader.class,
            "skip",
            "(Lorg/apache/avro/Schema;Lorg/apache/avro/io/Decoder;)V");
      }
    }
  }

  private @Nullable Class<?> classOf(Schema schema) {
    return data instanceof SpecificData specific ? specific.getClass(schema) : null;
  }
}
