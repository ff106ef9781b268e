package io.tidemark.avro.object.write;

import io.tidemark.avro.object.code.ClassBody;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.apache.avro.LogicalType;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificData;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Generates code that writes records. Each record has a method, which calls further methods that
 * write its fields in groups.
 */
final class RecordCode {
  /**
   * The maximum weight of the fields in one method: an inlined union counts as 2, any other field
   * as 1.
   */
  private static final int METHOD_WEIGHT = 24;

  private final WriterClass made;
  private final WriterCode values;
  private final IdentityHashMap<Schema, String> records = new IdentityHashMap<>();

  RecordCode(WriterClass made, WriterCode values) {
    this.made = made;
    this.values = values;
  }

  /** Returns the name of the method that writes a record. The method is written once. */
  String method(Schema schema) {
    String known = records.get(schema);
    if (known != null) {
      return known;
    }
    String method = made.body().later("record", WriterClass.VALUE, code -> record(schema, code));
    records.put(schema, method);
    return method;
  }

  private void record(Schema schema, MethodVisitor code) {
    var some = new ArrayList<Schema.Field>();
    int weight = 0;
    for (Schema.Field field : schema.getFields()) {
      int more = weight(field.schema());
      if (weight > 0 && weight + more > METHOD_WEIGHT) {
        made.call(fieldsMethod(List.copyOf(some)), code, 0, 1);
        some.clear();
        weight = 0;
      }
      some.add(field);
      weight += more;
    }
    if (!some.isEmpty()) {
      made.call(fieldsMethod(List.copyOf(some)), code, 0, 1);
    }
    code.visitInsn(Opcodes.RETURN);
  }

  private static int weight(Schema schema) {
    boolean inline =
        schema.getType() == Schema.Type.UNION
            && schema.getTypes().size() <= 2
            && !WriterCode.isSimple(schema);
    return inline ? 2 : 1;
  }

  /**
   * Returns the name of a method that writes some fields. Local variables: 0 and 2 the record, 1
   * the encoder, 3 the value of a field.
   */
  private String fieldsMethod(List<Schema.Field> fields) {
    return made.body()
        .later(
            "fields",
            WriterClass.VALUE,
            code -> {
              code.visitVarInsn(Opcodes.ALOAD, 0);
              if (made.plain()) {
                ClassBody.cast(code, IndexedRecord.class);
              }
              code.visitVarInsn(Opcodes.ASTORE, 2);
              fields.forEach(field -> field(field, code));
              code.visitInsn(Opcodes.RETURN);
            });
  }

  private void field(Schema.Field field, MethodVisitor code) {
    LogicalType type = field.schema().getLogicalType();
    if (made.plain() && type != null && made.data() instanceof SpecificData) {
      code.visitVarInsn(Opcodes.ALOAD, 2);
      ClassBody.push(code, field.pos());
      made.body().constant(code, field.schema(), Schema.class);
      made.body().constant(code, type, LogicalType.class);
      made.body().constant(code, made.avro(), AvroWriter.class);
      ClassBody.callStatic(
          code,
          WriteOps.class,
          "converted",
          "(Lorg/apache/avro/generic/IndexedRecord;ILorg/apache/avro/Schema;"
              + "Lorg/apache/avro/LogicalType;Lio/tidemark/avro/object/write/AvroWriter;)"
              + "Ljava/lang/Object;");
      code.visitVarInsn(Opcodes.ASTORE, 3);
      values.raw(field.schema(), code, 3, 1, 4);
      return;
    }
    if (made.plain()) {
      code.visitVarInsn(Opcodes.ALOAD, 2);
      ClassBody.push(code, field.pos());
      ClassBody.callVirtual(code, IndexedRecord.class, "get", "(I)Ljava/lang/Object;");
    } else {
      made.body().constant(code, made.data(), GenericData.class);
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
    values.value(field.schema(), code, 3, 1, 4);
  }
}
