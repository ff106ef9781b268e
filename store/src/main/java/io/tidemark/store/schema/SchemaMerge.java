package io.tidemark.store.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Field;
import org.jspecify.annotations.Nullable;

/**
 * Merges a writer schema into a table schema, according to the rules of {@link SchemaEvolution}.
 *
 * <p>A named type has one definition in the result, even if it is used several times. So the types
 * of both sides are collected by name first, and each name is merged once.
 */
final class SchemaMerge {
  private final Schema table;
  private final Schema writer;
  private final Map<String, Schema> tableTypes = new HashMap<>();
  private final Map<String, Schema> writerTypes = new HashMap<>();
  private final Map<String, Schema> merged = new HashMap<>();

  SchemaMerge(Schema table, Schema writer) {
    this.table = table;
    this.writer = writer;
    gather(table, tableTypes);
    gather(writer, writerTypes);
  }

  Schema merged() throws SchemaConflictException {
    return merge(table, writer, table.getName());
  }

  private static void gather(Schema schema, Map<String, Schema> types) {
    switch (schema.getType()) {
      case RECORD -> {
        if (types.put(schema.getFullName(), schema) == null) {
          schema.getFields().forEach(field -> gather(field.schema(), types));
        }
      }
      case ENUM, FIXED -> types.put(schema.getFullName(), schema);
      case ARRAY -> gather(schema.getElementType(), types);
      case MAP -> gather(schema.getValueType(), types);
      case UNION -> schema.getTypes().forEach(branch -> gather(branch, types));
      default -> {}
    }
  }

  /** Returns a schema that can read datums of both schemas. */
  private Schema merge(Schema t, Schema w, String path) throws SchemaConflictException {
    boolean oneIsNull = (t.getType() == Schema.Type.NULL) != (w.getType() == Schema.Type.NULL);
    if (t.isUnion() || w.isUnion() || oneIsNull) {
      return mergeUnions(t, w, path);
    }
    if (MergedType.isNumber(t) && MergedType.isNumber(w) && t.getType() != w.getType()) {
      return MergedType.promote(t, w, path);
    }
    if (t.getType() != w.getType()) {
      throw SchemaConflictException.between(path, t, w, "the types differ");
    }
    return switch (t.getType()) {
      case RECORD, ENUM, FIXED -> {
        if (!t.getFullName().equals(w.getFullName())) {
          throw SchemaConflictException.between(path, t, w, "the names differ");
        }
        yield named(t.getFullName(), path);
      }
      case ARRAY ->
          MergedType.annotated(
              Schema.createArray(merge(t.getElementType(), w.getElementType(), path + "[]")),
              t,
              w,
              path);
      case MAP ->
          MergedType.annotated(
              Schema.createMap(merge(t.getValueType(), w.getValueType(), path + "{}")), t, w, path);
      default -> MergedType.annotated(Schema.create(t.getType()), t, w, path);
    };
  }

  /** Returns the schema of a type that only one side has. */
  private Schema copy(Schema schema, String path) throws SchemaConflictException {
    return switch (schema.getType()) {
      case RECORD, ENUM, FIXED -> named(schema.getFullName(), path);
      case ARRAY ->
          MergedType.annotated(
              Schema.createArray(copy(schema.getElementType(), path + "[]")), schema);
      case MAP ->
          MergedType.annotated(Schema.createMap(copy(schema.getValueType(), path + "{}")), schema);
      case UNION -> {
        List<Schema> branches = new ArrayList<>();
        for (Schema branch : schema.getTypes()) {
          branches.add(copy(branch, path));
        }
        yield Schema.createUnion(branches);
      }
      default -> MergedType.annotated(Schema.create(schema.getType()), schema);
    };
  }

  private Schema named(String name, String path) throws SchemaConflictException {
    Schema known = merged.get(name);
    if (known != null) {
      return known;
    }
    Schema t = tableTypes.get(name);
    Schema w = writerTypes.get(name);
    if (t == null || w == null) {
      return define(Objects.requireNonNull(t == null ? w : t), null, path);
    }
    if (t.getType() != w.getType()) {
      throw SchemaConflictException.between(path, t, w, "the types differ");
    }
    return define(t, w, path);
  }

  private Schema define(Schema t, @Nullable Schema w, String path) throws SchemaConflictException {
    String name = t.getFullName();
    Schema other = w == null ? t : w;
    Schema made;
    switch (t.getType()) {
      case ENUM -> {
        Set<String> symbols = new LinkedHashSet<>(t.getEnumSymbols());
        symbols.addAll(other.getEnumSymbols());
        made =
            Schema.createEnum(name, t.getDoc(), null, new ArrayList<>(symbols), t.getEnumDefault());
        merged.put(name, made);
      }
      case FIXED -> {
        if (t.getFixedSize() != other.getFixedSize()) {
          throw SchemaConflictException.between(path, t, other, "the sizes differ");
        }
        made = Schema.createFixed(name, t.getDoc(), null, t.getFixedSize());
        merged.put(name, made);
      }
      default -> {
        made = Schema.createRecord(name, t.getDoc(), null, t.isError());
        merged.put(name, made); // Before its fields, because a record may contain itself.
        made.setFields(w == null ? copiedFields(t, path) : mergedFields(t, w, path));
      }
    }
    return MergedType.annotated(made, t, other, path);
  }

  private List<Field> copiedFields(Schema record, String path) throws SchemaConflictException {
    List<Field> fields = new ArrayList<>();
    for (Field field : record.getFields()) {
      fields.add(withDefault(field, path + "." + field.name()));
    }
    return fields;
  }

  private List<Field> mergedFields(Schema t, Schema w, String path) throws SchemaConflictException {
    List<Field> fields = new ArrayList<>();
    for (Field ours : t.getFields()) {
      String fieldPath = path + "." + ours.name();
      Field theirs = w.getField(ours.name());
      fields.add(
          theirs == null
              ? optional(ours, fieldPath)
              : MergedField.like(
                  ours,
                  merge(ours.schema(), theirs.schema(), fieldPath),
                  ours.defaultVal(),
                  fieldPath));
    }
    for (Field theirs : w.getFields()) {
      if (t.getField(theirs.name()) == null) {
        String fieldPath = path + "." + theirs.name();
        fields.add(
            MergedField.needsFilesSchema(theirs.schema(), theirs.defaultVal())
                ? nullable(theirs, fieldPath)
                : optional(theirs, fieldPath));
      }
    }
    return fields;
  }

  private Field nullable(Field field, String path) throws SchemaConflictException {
    return MergedField.nullable(field, copy(field.schema(), path), path);
  }

  private Field withDefault(Field field, String path) throws SchemaConflictException {
    return MergedField.like(field, copy(field.schema(), path), field.defaultVal(), path);
  }

  /** Without a default the field becomes nullable: records of the other side lack it. */
  private Field optional(Field field, String path) throws SchemaConflictException {
    return field.hasDefaultValue() ? withDefault(field, path) : nullable(field, path);
  }

  private Schema mergeUnions(Schema t, Schema w, String path) throws SchemaConflictException {
    List<Schema> ours = branches(t);
    List<Schema> theirs = branches(w);
    boolean oursIsPlain = withoutNull(ours).size() <= 1;
    boolean plain = oursIsPlain && withoutNull(theirs).size() <= 1;
    if (oursIsPlain && !plain) {
      throw SchemaConflictException.between(
          path, t, w, "a plain type cannot become a union of several types");
    }
    List<Schema> result = new ArrayList<>();
    for (Schema branch : ours) {
      Schema counterpart = counterpart(branch, theirs, plain);
      result.add(counterpart == null ? copy(branch, path) : merge(branch, counterpart, path));
    }
    for (Schema branch : theirs) {
      if (counterpart(branch, ours, plain) == null) {
        result.add(copy(branch, path));
      }
    }
    return result.size() == 1 && !t.isUnion() ? result.get(0) : Schema.createUnion(result);
  }

  static List<Schema> branches(Schema schema) {
    return schema.isUnion() ? schema.getTypes() : List.of(schema);
  }

  static List<Schema> withoutNull(List<Schema> branches) {
    return branches.stream().filter(branch -> branch.getType() != Schema.Type.NULL).toList();
  }

  /**
   * Returns the matching branch of the other side. For nullable fields, it is the other non-null
   * branch, whose type may be promoted. For other unions, it is the branch with the same type name,
   * of which a union has at most one.
   */
  private static @Nullable Schema counterpart(Schema branch, List<Schema> others, boolean plain) {
    Stream<Schema> candidates =
        plain && branch.getType() != Schema.Type.NULL
            ? withoutNull(others).stream()
            : others.stream().filter(other -> other.getFullName().equals(branch.getFullName()));
    return candidates.findFirst().orElse(null);
  }
}
