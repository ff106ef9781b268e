package io.tidemark.avro.mapping;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.plan.FieldDefaults;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.PlanInterpreter;
import io.tidemark.avro.plan.Planner;
import io.tidemark.avro.plan.TableDatum;
import io.tidemark.avro.plan.step.StepTree;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/** The defaults of mapped fields: those of the writer's fields, converted as their values are. */
final class MappedDefault {
  private MappedDefault() {}

  /** Returns a mapped field. A default that cannot be converted is dropped. */
  static Schema.Field field(Schema.Field field, SchemaMapper.Mapped mapped) {
    boolean isIncomplete = new FieldDefaults().isIncomplete(field);
    boolean stays =
        !isIncomplete
            && (mapped.shift() == Shift.SAME
                || !field.hasDefaultValue()
                || isEmpty(field.defaultVal()));
    if (stays) {
      return new Schema.Field(field, mapped.schema());
    }
    return named(
        field.name(),
        field,
        mapped.schema(),
        isIncomplete ? null : converted(field, mapped).orElse(null));
  }

  /** Returns a copy of a field with another name, schema and default. */
  static Schema.Field named(
      String name, Schema.Field field, Schema schema, @Nullable Object value) {
    Schema.Field made =
        new Schema.Field(name, schema, field.doc(), FieldDefaults.given(value), field.order());
    field.aliases().forEach(made::addAlias);
    field.getObjectProps().forEach(made::addProp);
    return made;
  }

  private static boolean isEmpty(Object value) {
    return value == JsonProperties.NULL_VALUE
        || (value instanceof Collection<?> items && items.isEmpty());
  }

  private static Optional<Object> converted(Schema.Field field, SchemaMapper.Mapped mapped) {
    try {
      byte[] value = encoded(field);
      Plan same = Planner.plan(mapped.schema(), mapped.schema(), List.of());
      StepTree steps =
          StepComposer.compose(
              mapped.shift(),
              Planner.plan(field.schema(), field.schema(), List.of()).steps(),
              same.steps());
      var result = new TableDatum();
      new PlanInterpreter(new Plan(field.schema(), mapped.schema(), List.of(), steps, ""))
          .run(value, 0, value.length, result);
      Object read =
          new GenericDatumReader<Object>(mapped.schema())
              .read(
                  null,
                  DecoderFactory.get()
                      .binaryDecoder(result.bytes(), result.offset(), result.length(), null));
      Object made = json(read);
      // Avro validates the default only here.
      Schema.Field unused = new Schema.Field("f", mapped.schema(), null, FieldDefaults.given(made));
      return Optional.of(made);
    } catch (IOException | MalformedDatumException | RuntimeException e) {
      // Its value is refused, or contains a record that is not complete yet.
      return Optional.empty();
    }
  }

  private static byte[] encoded(Schema.Field field) throws IOException {
    var out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    new GenericDatumWriter<>(field.schema())
        .write(GenericData.get().getDefaultValue(field), encoder);
    return out.toByteArray();
  }

  private static Object json(@Nullable Object value) {
    if (value == null) {
      return JsonProperties.NULL_VALUE;
    }
    if (value instanceof ByteBuffer bytes) {
      return Arrays.copyOfRange(
          bytes.array(),
          bytes.arrayOffset() + bytes.position(),
          bytes.arrayOffset() + bytes.limit());
    }
    if (value instanceof GenericFixed fixed) {
      return fixed.bytes();
    }
    if (value instanceof Collection<?> items) {
      List<Object> made = new ArrayList<>();
      items.forEach(item -> made.add(json(item)));
      return made;
    }
    if (value instanceof Map<?, ?> entries) {
      Map<String, Object> made = new LinkedHashMap<>();
      entries.forEach((key, item) -> made.put(String.valueOf(key), json(item)));
      return made;
    }
    if (value instanceof IndexedRecord record) {
      Map<String, Object> made = new LinkedHashMap<>();
      record
          .getSchema()
          .getFields()
          .forEach(field -> made.put(field.name(), json(record.get(field.pos()))));
      return made;
    }
    return value instanceof CharSequence || value instanceof GenericData.EnumSymbol
        ? value.toString()
        : value;
  }
}
