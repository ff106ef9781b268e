package io.tidemark.avro.object.read;

import io.tidemark.avro.object.code.ClassBody;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.avro.Conversion;
import org.apache.avro.Resolver.Action;
import org.apache.avro.Resolver.ReaderUnion;
import org.apache.avro.Resolver.RecordAdjust;
import org.apache.avro.Resolver.WriterUnion;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Generates the steps that read, skip, or set to their defaults the fields of a record. */
final class FieldSteps {
  private final ReaderClass made;
  private final ReaderCode values;
  private final Shapes shapes;
  private final DefaultCode defaults;

  FieldSteps(ReaderClass made, ReaderCode values) {
    this.made = made;
    this.values = values;
    shapes = new Shapes(made.texts());
    defaults = new DefaultCode(made, values);
  }

  /**
   * A step of a record's code.
   *
   * @param weight the share of {@code METHOD_WEIGHT} that the step uses, from 1
   * @param position the position of the field that the step sets, or -1
   * @param shape the same text for fields whose code differs only in the position; null if unknown
   * @param write writes the code
   * @param entry the field's entry in a table, or null if the field cannot be in a table
   */
  record Step(
      int weight,
      int position,
      @Nullable String shape,
      Consumer<MethodVisitor> write,
      @Nullable Entry entry) {

    /** A step that is in no loop and no table. */
    static Step alone(int weight, int position, Consumer<MethodVisitor> write) {
      return new Step(weight, position, null, write, null);
    }
  }

  /**
   * A field of a table. Fields with null share the code of fields without.
   *
   * @param nullBranch the number of the branch null in a union of two, from 1; 0 if there is none
   * @param shape the same text for values whose code differs only in position and argument
   * @param argument the field's argument, if its code has one: see {@link ReaderClass#argument}
   * @param write writes the code that reads and sets a value that is not null
   */
  record Entry(
      int nullBranch, String shape, @Nullable Object argument, Consumer<MethodVisitor> write) {}

  /**
   * Returns the steps of a record: first in the order of the encoded fields, then those of the
   * defaults.
   */
  List<Step> steps(RecordAdjust record, @Nullable Class<?> type, boolean indexed) {
    @Nullable SpecificRecordBase sample = sample(record.reader, type);
    var steps = new ArrayList<Step>();
    int next = 0;
    for (Action action : record.fieldActions) {
      if (action.type == Action.Type.SKIP) {
        steps.add(Step.alone(1, -1, code -> skip(action.writer, code)));
      } else {
        Schema.Field field = record.readerOrder[next++];
        @Nullable Conversion<?> conversion =
            sample == null ? action.conversion : sample.getConversion(field.pos());
        boolean simple = indexed && conversion == null;
        steps.add(
            new Step(
                weight(action),
                field.pos(),
                simple ? shapes.of(action) : null,
                code ->
                    set(
                        field,
                        indexed,
                        code,
                        () -> values.value(action, conversion, old(field, indexed), code, 2)),
                simple && made.wide() ? entry(action, field) : null));
      }
    }
    for (; next < record.readerOrder.length; next++) {
      Schema.Field field = record.readerOrder[next];
      @Nullable Object value = record.defaults[next - record.firstDefault];
      steps.add(
          Step.alone(
              1,
              field.pos(),
              code ->
                  set(
                      field,
                      indexed,
                      code,
                      () -> defaults.push(field, value, sample, old(field, indexed), code))));
    }
    return steps;
  }

  private @Nullable Entry entry(Action action, Schema.Field field) {
    int nullBranch = 0;
    Action value = action;
    if (action instanceof WriterUnion union && union.actions.length == 2) {
      for (int i = 0; i < 2; i++) {
        Action branch = Shapes.actual(union.actions[i]);
        if (branch.type == Action.Type.DO_NOTHING && branch.reader.getType() == Schema.Type.NULL) {
          nullBranch = i + 1;
          value = Shapes.actual(union.actions[1 - i]);
        }
      }
    }
    if (value.conversion != null) {
      return null;
    }
    @Nullable String shape = shapes.of(value);
    @Nullable String other = shape == null ? shapes.withArgument(value) : shape;
    if (other == null) {
      return null;
    }
    Action read = value;
    return new Entry(
        nullBranch,
        other,
        shape == null ? Shapes.argument(value) : null,
        code -> set(field, true, code, () -> values.value(read, null, old(field, true), code, 2)));
  }

  /**
   * Returns a record of the generated class, whose {@code getConversion} returns the conversions of
   * the fields. Returns null if there is no such class.
   */
  private @Nullable SpecificRecordBase sample(Schema schema, @Nullable Class<?> type) {
    return type != null
            && SpecificRecordBase.class.isAssignableFrom(type)
            && made.data().newRecord(null, schema) instanceof SpecificRecordBase record
        ? record
        : null;
  }

  private int weight(Action action) {
    if (action instanceof ReaderUnion union) {
      return weight(union.actualAction);
    }
    boolean inline =
        action instanceof WriterUnion union
            && union.actions.length <= 2
            && shapes.of(union) == null;
    return inline ? 2 : 1;
  }

  private void set(Schema.Field field, boolean indexed, MethodVisitor code, Runnable value) {
    if (indexed) {
      code.visitVarInsn(Opcodes.ALOAD, 0);
      code.visitVarInsn(Opcodes.ILOAD, 3);
      value.run();
      ClassBody.callVirtual(code, IndexedRecord.class, "put", "(ILjava/lang/Object;)V");
    } else {
      made.body().constant(code, made.data(), GenericData.class);
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
    if (made.table().isOfNewRecord()) {
      return Old.NONE;
    }
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
      made.body().constant(code, made.data(), GenericData.class);
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

  private void skip(Schema schema, MethodVisitor code) {
    switch (schema.getType()) {
      case NULL -> ScalarCode.take(code, 2, "readNull", "()V");
      case BOOLEAN, INT, FLOAT -> {
        ScalarCode.scalar(schema.getType(), code, 2);
        code.visitInsn(Opcodes.POP);
      }
      case LONG, DOUBLE -> {
        ScalarCode.scalar(schema.getType(), code, 2);
        code.visitInsn(Opcodes.POP2);
      }
      case STRING -> ScalarCode.take(code, 2, "skipString", "()V");
      case BYTES -> ScalarCode.take(code, 2, "skipBytes", "()V");
      default -> {
        made.body().constant(code, schema, Schema.class);
        code.visitVarInsn(Opcodes.ALOAD, 2);
        ClassBody.callStatic(
            code,
            GenericDatumReader.class,
            "skip",
            "(Lorg/apache/avro/Schema;Lorg/apache/avro/io/Decoder;)V");
      }
    }
  }
}
