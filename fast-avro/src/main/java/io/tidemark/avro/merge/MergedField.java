package io.tidemark.avro.merge;

import io.tidemark.avro.plan.FieldDefaults;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Field;
import org.jspecify.annotations.Nullable;

/**
 * Creates the fields of a merged record. Each is created from the field of one or both sides. It
 * has the doc, order and properties of the field that is passed as {@code like}.
 */
final class MergedField {
  private MergedField() {}

  /** Returns a copy of a field with another schema and default. */
  static Field like(Field like, Schema schema, @Nullable Object defaultValue, String path)
      throws UnmergeableSchemasException {
    try {
      Field made =
          new Field(
              like.name(), schema, like.doc(), FieldDefaults.given(defaultValue), like.order());
      like.getObjectProps().forEach(made::addProp);
      return made;
    } catch (AvroRuntimeException e) {
      throw new UnmergeableSchemasException(
          "Field %s: its default %s does not match the schema %s: %s. Give the new schema a topic of its own, or the types in it other names."
              .formatted(
                  UnmergeableSchemasException.shown(path),
                  UnmergeableSchemasException.shown(String.valueOf(defaultValue)),
                  UnmergeableSchemasException.shown(schema.toString()),
                  UnmergeableSchemasException.shown(String.valueOf(e.getMessage()))));
    }
  }

  /** Returns a copy of a field that is null for records without it. */
  static Field nullable(Field like, Schema schema, String path) throws UnmergeableSchemasException {
    List<Schema> branches = new ArrayList<>();
    branches.add(Schema.create(Schema.Type.NULL));
    branches.addAll(SchemaMerge.withoutNull(SchemaMerge.branches(schema)));
    Schema nullFirst = branches.size() == 1 ? branches.get(0) : Schema.createUnion(branches);
    return like(like, nullFirst, JsonProperties.NULL_VALUE, path);
  }

  /** Returns whether Hive needs the file's schema for this default, and fails without one. */
  static boolean needsFilesSchema(Schema schema, @Nullable Object value) {
    if (value == null || value == JsonProperties.NULL_VALUE) {
      return false;
    }
    return switch (schema.getType()) {
      case RECORD -> true;
      case BYTES -> MergedType.isDecimal(schema);
      case ARRAY ->
          value instanceof Collection<?> items
              && items.stream().anyMatch(item -> needsFilesSchema(schema.getElementType(), item));
      case MAP ->
          value instanceof Map<?, ?> entries
              && entries.values().stream()
                  .anyMatch(item -> needsFilesSchema(schema.getValueType(), item));
      case UNION -> {
        List<Schema> branches = SchemaMerge.withoutNull(schema.getTypes());
        yield branches.size() > 1 || needsFilesSchema(branches.get(0), value);
      }
      default -> false;
    };
  }
}
