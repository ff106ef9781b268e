package io.tidemark.avro.object.read;

import io.tidemark.avro.object.code.ClassBody;
import java.util.Collection;
import java.util.Map;
import org.apache.avro.Resolver.Action;
import org.apache.avro.Resolver.Container;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Generates code that reads arrays and maps. */
final class ContainerCode {
  private final ReaderClass made;
  private final BytesCode bytes;
  private final ReaderCode values;

  ContainerCode(ReaderClass made, BytesCode bytes, ReaderCode values) {
    this.made = made;
    this.bytes = bytes;
    this.values = values;
  }

  void array(Container array, Old old, MethodVisitor code, int in) {
    String operation = operation(array.elementAction, made.texts());
    if (!operation.isEmpty()) {
      old.accept(code);
      // Without data the array is that of Avro's fast reader.
      made.body().constant(code, made.fast() ? null : made.data(), GenericData.class);
      made.argument(code, array.reader, Schema.class);
      code.visitVarInsn(Opcodes.ALOAD, in);
      ClassBody.callStatic(code, ReadOps.class, operation, ReaderClass.OPERATION);
      return;
    }
    values.viaMethod("array", null, old, code, in, method -> arrayOfObjects(array, method));
  }

  /** Returns the method of {@link ReadOps} for arrays of such items, or an empty text. */
  static String operation(Action items, TextClasses texts) {
    if (items.type != Action.Type.DO_NOTHING || items.conversion != null) {
      return "";
    }
    return switch (items.reader.getType()) {
      case BOOLEAN -> "booleans";
      case INT -> "ints";
      case LONG -> "longs";
      case FLOAT -> "floats";
      case DOUBLE -> "doubles";
      case STRING -> {
        Class<?> type = texts.classOf(items.reader);
        yield type == CharSequence.class ? "texts" : type == String.class ? "strings" : "";
      }
      default -> "";
    };
  }

  /**
   * Writes a method that reads an array. Local variables: 0 the old object, 1 the decoder, 2 the
   * count of the block, 4 the array, 6 the index.
   */
  private void arrayOfObjects(Container array, MethodVisitor code) {
    ScalarCode.take(code, 1, "readArrayStart", "()J");
    code.visitVarInsn(Opcodes.LSTORE, 2);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    made.body().constant(code, made.fast() ? null : made.data(), GenericData.class);
    code.visitVarInsn(Opcodes.LLOAD, 2);
    made.body().constant(code, array.reader, Schema.class);
    ClassBody.callStatic(
        code,
        ReadOps.class,
        "array",
        "(Ljava/lang/Object;Lorg/apache/avro/generic/GenericData;JLorg/apache/avro/Schema;)"
            + "Ljava/lang/Object;");
    code.visitVarInsn(Opcodes.ASTORE, 4);
    Action items = array.elementAction;
    loop(
        code,
        "arrayNext",
        () -> {
          code.visitVarInsn(Opcodes.ALOAD, 4);
          ClassBody.cast(code, Collection.class);
          values.value(items, items.conversion, ContainerCode::peek, code, 1);
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

  void map(Container map, MethodVisitor code) {
    ScalarCode.take(code, 1, "readMapStart", "()J");
    code.visitVarInsn(Opcodes.LSTORE, 2);
    if (made.fast()) {
      code.visitVarInsn(Opcodes.LLOAD, 2);
      ClassBody.callStatic(code, ReadOps.class, "newMap", "(J)Ljava/util/Map;");
    } else {
      made.body().constant(code, made.data(), GenericData.class);
      code.visitVarInsn(Opcodes.ALOAD, 0);
      code.visitVarInsn(Opcodes.LLOAD, 2);
      code.visitInsn(Opcodes.L2I);
      if (made.ownMaps()) {
        // A subclass of GenericData gets the size itself, as from Avro's reader.
        ClassBody.callStatic(code, ReadOps.class, "capacity", "(I)I");
      }
      ClassBody.callVirtual(
          code, GenericData.class, "newMap", "(Ljava/lang/Object;I)Ljava/lang/Object;");
    }
    code.visitVarInsn(Opcodes.ASTORE, 4);
    Action items = map.elementAction;
    loop(
        code,
        "mapNext",
        () -> {
          code.visitVarInsn(Opcodes.ALOAD, 4);
          ClassBody.cast(code, Map.class);
          bytes.text(map.reader, Old.NONE, code, 1);
          values.value(items, items.conversion, Old.NONE, code, 1);
          ClassBody.callVirtual(
              code, Map.class, "put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;");
          code.visitInsn(Opcodes.POP);
        });
    code.visitVarInsn(Opcodes.ALOAD, 4);
  }

  /** Writes a loop over the items of all blocks. */
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
    ScalarCode.take(code, 1, next, "()J");
    code.visitVarInsn(Opcodes.LSTORE, 2);
    code.visitJumpInsn(Opcodes.GOTO, block);
    code.visitLabel(end);
  }
}
