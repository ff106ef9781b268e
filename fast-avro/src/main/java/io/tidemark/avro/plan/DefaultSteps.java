package io.tidemark.avro.plan;

import io.tidemark.avro.plan.step.PlanStep;
import io.tidemark.avro.plan.step.PlanStep.Added;
import io.tidemark.avro.plan.step.PlanStep.Part;
import io.tidemark.avro.plan.step.PlanStep.RewriteRecord;
import io.tidemark.avro.plan.step.PlanStep.Write;
import io.tidemark.avro.plan.step.PlanStep.WriteIndex;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/** Creates the steps that emit a default. Avro's library reads the default and encodes it. */
final class DefaultSteps {
  private final FieldDefaults defaults;
  private final GenericData data;

  /** Creates an instance for the defaults of a reader schema. */
  DefaultSteps(FieldDefaults defaults) {
    this.defaults = defaults;
    this.data = defaults.genericData();
  }

  /** Returns the step that emits the default of a field. */
  PlanStep of(Schema.Field field, List<CapturedPath> paths) {
    return of(field.schema(), defaults.value(field), paths);
  }

  /** Returns the first field of a schema whose default is not of its type. */
  Optional<Invalid> invalid(Schema schema) {
    return first(
        schema,
        "",
        new HashSet<>(),
        field ->
            defaults
                .fault(field)
                .map(
                    fault ->
                        "its default is not a valid %s: %s"
                            .formatted(field.schema().getFullName(), fault)));
  }

  /** Returns the first field of a schema whose default is too large to be read. */
  Optional<Invalid> excessive(Schema schema) {
    return first(
        schema,
        "",
        new HashSet<>(),
        field -> defaults.excess(field).map(excess -> "its default cannot be read: " + excess));
  }

  /** A default that Avro's library cannot encode, with the field's path. */
  record Invalid(String fieldPath, String cause) {}

  private static Optional<Invalid> first(
      Schema schema,
      String path,
      Set<String> seen,
      Function<Schema.Field, Optional<String>> fault) {
    return switch (schema.getType()) {
      case ARRAY -> first(schema.getElementType(), path + "[]", seen, fault);
      case MAP -> first(schema.getValueType(), path + "{}", seen, fault);
      case UNION ->
          schema.getTypes().stream()
              .flatMap(branch -> first(branch, path, seen, fault).stream())
              .findFirst();
      case RECORD ->
          seen.add(schema.getFullName())
              ? schema.getFields().stream()
                  .flatMap(
                      field ->
                          fault
                              .apply(field)
                              .map(cause -> new Invalid(below(path, field), cause))
                              .or(() -> first(field.schema(), below(path, field), seen, fault))
                              .stream())
                  .findFirst()
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static String below(String path, Schema.Field field) {
    return path.isEmpty() ? field.name() : path + '.' + field.name();
  }

  /** Returns whether a schema is a union of null and at most one other type. */
  static boolean isNullable(Schema schema) {
    return schema.isUnion() && schema.isNullable() && schema.getTypes().size() <= 2;
  }

  private PlanStep of(Schema schema, @Nullable Object value, List<CapturedPath> paths) {
    if (paths.isEmpty()) {
      return new Write(encode(schema, value));
    }
    if (isNullable(schema)) {
      int index = data.resolveUnion(schema, value);
      Schema branch = schema.getTypes().get(index);
      return new WriteIndex(index, of(branch, value, value == null ? List.of() : paths));
    }
    List<CapturedPath> below = CapturedPath.below(paths);
    return CapturedPath.capture(
        paths,
        !below.isEmpty() && value instanceof IndexedRecord record
            ? fields(record, below)
            : new Write(encode(schema, value)));
  }

  private PlanStep fields(IndexedRecord record, List<CapturedPath> paths) {
    var parts = new ArrayList<Part>();
    for (Schema.Field field : record.getSchema().getFields()) {
      parts.add(
          new Added(
              field.name(),
              of(field.schema(), record.get(field.pos()), CapturedPath.in(paths, field.name()))));
    }
    return new RewriteRecord(List.of(), parts);
  }

  private List<Byte> encode(Schema schema, @Nullable Object value) {
    var out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    try {
      new GenericDatumWriter<>(schema, data).write(value, encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var bytes = new ArrayList<Byte>(out.size());
    for (byte b : out.toByteArray()) {
      bytes.add(b);
    }
    return bytes;
  }
}
