package io.tidemark.connect.table.schema;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.tidemark.connect.text.PrintableText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Field;
import org.jspecify.annotations.Nullable;

/**
 * A field of a merged record, made from the field that one side or both have, with its doc, order
 * and properties.
 */
final class MergedField {
  private MergedField() {}

  /** A field like another, with a schema and a default. */
  static Field like(Field like, Schema schema, @Nullable Object defaultValue, String path)
      throws SchemaConflictException {
    try {
      Field made = new Field(like.name(), schema, like.doc(), json(defaultValue), like.order());
      like.getObjectProps().forEach(made::addProp);
      return made;
    } catch (AvroRuntimeException e) {
      throw new SchemaConflictException(
          "Field %s: its default %s does not fit the schema %s. %s. Give the new schema a topic of its own, or the types in it other names."
              .formatted(
                  PrintableText.of(path),
                  PrintableText.of(String.valueOf(defaultValue)),
                  PrintableText.of(schema.toString()),
                  PrintableText.of(String.valueOf(e.getMessage()))));
    }
  }

  /** A field like another that is null where a record lacks it; {@code schema} is a copy of its. */
  static Field nullable(Field like, Schema schema, String path) throws SchemaConflictException {
    return like(like, nullFirst(schema), JsonProperties.NULL_VALUE, path);
  }

  /**
   * Hive reads values of these types by the schema of the file, and fails on a default of them for
   * files that lack the field.
   */
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

  private static Schema nullFirst(Schema schema) {
    Schema none = Schema.create(Schema.Type.NULL);
    List<Schema> branches = new ArrayList<>();
    branches.add(none);
    branches.addAll(SchemaMerge.withoutNull(SchemaMerge.branches(schema)));
    return branches.size() == 1 ? none : Schema.createUnion(branches);
  }

  /** A default as Avro takes it, with bytes as the text that they are in JSON. */
  private static @Nullable Object json(@Nullable Object value) {
    if (value instanceof byte[] bytes) {
      return new String(bytes, ISO_8859_1);
    }
    if (value instanceof Collection<?> items) {
      List<@Nullable Object> made = new ArrayList<>();
      items.forEach(item -> made.add(json(item)));
      return made;
    }
    if (value instanceof Map<?, ?> entries) {
      Map<Object, @Nullable Object> made = new LinkedHashMap<>();
      entries.forEach((key, item) -> made.put(key, json(item)));
      return made;
    }
    return value;
  }
}
