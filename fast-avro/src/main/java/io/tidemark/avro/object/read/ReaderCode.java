package io.tidemark.avro.object.read;

import io.tidemark.avro.object.code.ClassBody;
import io.tidemark.avro.object.code.ObjectClasses;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
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
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Generates the class that reads data of one schema as objects of another. Used by one thread, for
 * one class.
 *
 * <p>It follows the actions of Avro's resolver. The code of each value leaves the value, boxed, on
 * the stack. Records, arrays, maps and larger unions have methods of their own.
 */
public final class ReaderCode {
  private final ReaderClass made;
  private final BytesCode bytes;
  private final ContainerCode containers;
  private final RecordCode records;
  private final Shapes shapes;

  /** The names of methods, by the shape of the values that they read. */
  private final Map<String, String> shared = new HashMap<>();

  private ReaderCode(ReaderClass made) {
    this.made = made;
    bytes = new BytesCode(made);
    containers = new ContainerCode(made, bytes, this);
    records = new RecordCode(made, this);
    shapes = new Shapes(made.texts());
  }

  /**
   * Generates the class for a writer schema and a reader schema.
   *
   * @throws IllegalArgumentException if the JVM rejects the class, or the class is too large
   */
  public static ObjectReader compile(
      Schema writer, Schema reader, GenericData data, ObjectClasses classes) {
    if (data.isFastReaderEnabled() && JavaClasses.isIn(reader)) {
      throw new IllegalArgumentException(
          "Avro's fast reader creates objects of classes that the schema names (java-class)");
    }
    Action root = Resolver.resolve(writer, reader, data);
    return classes.make(
        MethodHandles.lookup(),
        ObjectReader.class,
        out -> {
          var code = new ReaderCode(ReaderClass.of(data, root, out));
          code.write(root);
          return code.made.body();
        });
  }

  private void write(Action root) {
    made.body()
        .method(
            0,
            "read",
            ReaderClass.VALUE,
            code -> {
              value(root, root.conversion, c -> c.visitVarInsn(Opcodes.ALOAD, 1), code, 2);
              code.visitInsn(Opcodes.ARETURN);
            });
  }

  /**
   * Writes code that reads a value and converts it to its logical type, if there is a conversion.
   */
  void value(
      Action action, @Nullable Conversion<?> conversion, Old old, MethodVisitor code, int in) {
    raw(action, old, code, in);
    if (conversion != null) {
      made.body().constant(code, action.reader, Schema.class);
      made.body().constant(code, action.reader.getLogicalType(), LogicalType.class);
      made.body().constant(code, conversion, Conversion.class);
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
          String shape = shapes.of(action);
          viaMethod(
              "map", shape, old, code, in, method -> containers.map((Container) action, method));
        } else {
          containers.array((Container) action, old, code, in);
        }
      }
      case ENUM -> {
        var adjust = (EnumAdjust) action;
        made.argument(code, new Symbols(adjust.values, adjust.writer), Symbols.class);
        code.visitVarInsn(Opcodes.ALOAD, in);
        ClassBody.callStatic(
            code,
            ReadOps.class,
            "symbol",
            "(Lio/tidemark/avro/object/read/Symbols;Lorg/apache/avro/io/Decoder;)"
                + "Ljava/lang/Object;");
      }
      case RECORD -> {
        old.accept(code);
        code.visitVarInsn(Opcodes.ALOAD, in);
        made.body().call(code, records.method((RecordAdjust) action), ReaderClass.VALUE);
      }
      case WRITER_UNION -> {
        var union = (WriterUnion) action;
        String shape = shapes.of(union);
        if (shape != null || union.actions.length > 2) {
          viaMethod("union", shape, old, code, in, method -> union(union, Old.ARGUMENT, method, 1));
        } else {
          union(union, old, code, in);
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

  /**
   * Writes a call of the method that reads a value. Values of the same shape share one method.
   *
   * @param shape the shape of the value, or null if its method cannot be shared
   */
  void viaMethod(
      String kind,
      @Nullable String shape,
      Old old,
      MethodVisitor code,
      int in,
      Consumer<MethodVisitor> write) {
    String method = shape == null ? null : shared.get(shape);
    if (method == null) {
      method =
          made.body()
              .later(
                  kind,
                  ReaderClass.VALUE,
                  visitor -> {
                    write.accept(visitor);
                    visitor.visitInsn(Opcodes.ARETURN);
                  });
      if (shape != null) {
        shared.put(shape, method);
      }
    }
    old.accept(code);
    code.visitVarInsn(Opcodes.ALOAD, in);
    made.body().call(code, method, ReaderClass.VALUE);
  }

  private void same(Schema schema, Old old, MethodVisitor code, int in) {
    switch (schema.getType()) {
      case NULL -> {
        ScalarCode.take(code, in, "readNull", "()V");
        code.visitInsn(Opcodes.ACONST_NULL);
      }
      case BOOLEAN, INT, LONG, FLOAT, DOUBLE -> {
        ScalarCode.scalar(schema.getType(), code, in);
        ScalarCode.box(schema.getType(), code);
      }
      case STRING -> bytes.text(schema, old, code, in);
      case BYTES -> bytes.bytes(old, code, in);
      case FIXED -> bytes.fixed(schema, old, code, in);
      default -> throw new IllegalArgumentException("no code for " + schema.getType());
    }
  }

  private void promoted(Action action, MethodVisitor code, int in) {
    Schema.Type from = action.writer.getType();
    Schema.Type to = action.reader.getType();
    switch (to) {
      case STRING -> bytes.textOfBytes(action.reader, code, in);
      case BYTES -> BytesCode.bytesOfText(code, in);
      default -> ScalarCode.promoted(from, to, code, in);
    }
  }

  private void union(WriterUnion union, Old reused, MethodVisitor code, int in) {
    // Avro's fast reader reuses nothing in a union.
    Old old = made.fast() ? Old.NONE : reused;
    var labels = new Label[union.actions.length];
    Arrays.setAll(labels, i -> new Label());
    var none = new Label();
    var end = new Label();
    ScalarCode.take(code, in, "readIndex", "()I");
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
        // The code that reads the union's value converts it.
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
}
