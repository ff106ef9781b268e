package io.tidemark.avro.plan;

import io.tidemark.avro.plan.PlanStep.Added;
import io.tidemark.avro.plan.PlanStep.Part;
import io.tidemark.avro.plan.PlanStep.RewriteRecord;
import io.tidemark.avro.plan.PlanStep.Write;
import io.tidemark.avro.plan.PlanStep.WriteIndex;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/** Makes the steps that emit a default; Avro's library reads it from the schema and encodes it. */
final class DefaultSteps {
  private final GenericData data;

  /** Makes the steps by Avro's model of generic data, the one that the defaults are read with. */
  DefaultSteps(GenericData data) {
    this.data = data;
  }

  /** The steps that emit the default of a field. */
  PlanStep of(Schema.Field field, List<CapturedPath> paths) {
    return of(field.schema(), data.getDefaultValue(field), paths);
  }

  /** The first field of a schema whose default is none of its type. */
  Optional<Invalid> invalid(Schema schema) {
    return invalid(schema, "", new HashSet<>());
  }

  /** A default that Avro's library cannot encode, by the field's path. */
  record Invalid(String fieldPath, String cause) {}

  private Optional<Invalid> invalid(Schema schema, String path, Set<String> seen) {
    return switch (schema.getType()) {
      case ARRAY -> invalid(schema.getElementType(), path + "[]", seen);
      case MAP -> invalid(schema.getValueType(), path + "{}", seen);
      case UNION ->
          schema.getTypes().stream()
              .flatMap(branch -> invalid(branch, path, seen).stream())
              .findFirst();
      case RECORD ->
          seen.add(schema.getFullName())
              ? schema.getFields().stream()
                  .flatMap(field -> invalid(field, below(path, field), seen).stream())
                  .findFirst()
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  private Optional<Invalid> invalid(Schema.Field field, String path, Set<String> seen) {
    if (field.hasDefaultValue()) {
      try {
        data.getDefaultValue(field);
      } catch (AvroRuntimeException e) {
        return Optional.of(
            new Invalid(
                path,
                "its default is no %s: %s"
                    .formatted(field.schema().getFullName(), e.getMessage())));
      }
    }
    return invalid(field.schema(), path, seen);
  }

  private static String below(String path, Schema.Field field) {
    return path.isEmpty() ? field.name() : path + '.' + field.name();
  }

  /** Whether a schema is a union of null and, at most, one other. */
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
