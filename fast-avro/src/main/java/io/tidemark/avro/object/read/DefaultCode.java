package io.tidemark.avro.object.read;

import io.tidemark.avro.object.code.ClassBody;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Map;
import org.apache.avro.Conversion;
import org.apache.avro.Resolver;
import org.apache.avro.Resolver.Action;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Generates code that pushes the defaults of fields that the writer schema does not have. */
final class DefaultCode {
  private final ReaderClass made;
  private final ReaderCode values;

  DefaultCode(ReaderClass made, ReaderCode values) {
    this.made = made;
    this.values = values;
  }

  /**
   * Writes code that pushes the default of a field. Like Avro's reader, the code decodes the
   * default from its encoding by the reader schema. Numbers, booleans and null are constants if the
   * field has no logical type and no conversion.
   */
  void push(
      Schema.Field field,
      @Nullable Object value,
      @Nullable SpecificRecordBase sample,
      Old old,
      MethodVisitor code) {
    Action action = Resolver.resolve(field.schema(), field.schema(), made.data());
    @Nullable Conversion<?> conversion =
        sample == null ? action.conversion : sample.getConversion(field.pos());
    boolean constant = value instanceof Number || value instanceof Boolean || value == null;
    if (constant && field.schema().getLogicalType() == null && conversion == null) {
      made.body().constant(code, value, Object.class);
      return;
    }
    boolean empty =
        (value instanceof Collection<?> items && items.isEmpty())
            || (value instanceof Map<?, ?> map && map.isEmpty());
    if (made.fast() && empty && conversion == null) {
      empty(field.schema(), value instanceof Map, old, code);
      return;
    }
    String method =
        made.body()
            .later(
                "default",
                ReaderClass.VALUE,
                visitor -> {
                  values.value(action, conversion, Old.ARGUMENT, visitor, 1);
                  visitor.visitInsn(Opcodes.ARETURN);
                });
    old.accept(code);
    made.body().constant(code, encoded(field.schema(), value), byte[].class);
    ClassBody.callStatic(code, ReadOps.class, "decoder", "([B)Lorg/apache/avro/io/Decoder;");
    made.body().call(code, method, ReaderClass.VALUE);
  }

  /**
   * Writes code that pushes an empty array or map. Avro's fast reader creates it by its {@code
   * GenericData}, unlike those that it reads.
   */
  private void empty(Schema schema, boolean isMap, Old old, MethodVisitor code) {
    old.accept(code);
    made.body().constant(code, made.data(), GenericData.class);
    made.body().constant(code, schema, Schema.class);
    ClassBody.callStatic(
        code,
        ReadOps.class,
        isMap ? "emptyMap" : "emptyArray",
        "(Ljava/lang/Object;Lorg/apache/avro/generic/GenericData;Lorg/apache/avro/Schema;)"
            + "Ljava/lang/Object;");
  }

  @SuppressWarnings("unchecked") // GenericData.createDatumWriter returns a raw DatumWriter.
  private byte[] encoded(Schema schema, @Nullable Object value) {
    var out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    try {
      made.data().createDatumWriter(schema).write(value, encoder);
      encoder.flush();
    } catch (IOException e) {
      // Cannot happen: the stream writes to memory.
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
