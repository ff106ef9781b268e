package io.tidemark.connect.table.schema;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.tidemark.connect.text.PrintableText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Field;
import org.jspecify.annotations.Nullable;

/**
 * One merge of a writer's schema into a table's, by the rules of {@link SchemaEvolution}.
 *
 * <p>A named type has one definition in the result wherever it is used, so both sides' types are
 * gathered by name first, and each name is merged once.
 */
final class SchemaMerge {
  private static final String LOGICAL_TYPE = "logicalType";
  private static final String PRECISION = "precision";
  private static final String SCALE = "scale";
  private static final int SHOWN_CHARS = 200;

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

  /** The schema that reads both; {@code path} leads to it, for messages. */
  private Schema merge(Schema t, Schema w, String path) throws SchemaConflictException {
    boolean oneIsNull = (t.getType() == Schema.Type.NULL) != (w.getType() == Schema.Type.NULL);
    if (t.isUnion() || w.isUnion() || oneIsNull) {
      return mergeUnions(t, w, path);
    }
    if (isNumber(t) && isNumber(w) && t.getType() != w.getType()) {
      return promote(t, w, path);
    }
    if (t.getType() != w.getType()) {
      throw conflict(path, t, w, "the types differ");
    }
    return switch (t.getType()) {
      case RECORD, ENUM, FIXED -> {
        if (!t.getFullName().equals(w.getFullName())) {
          throw conflict(path, t, w, "the names differ");
        }
        yield named(t.getFullName(), path);
      }
      case ARRAY ->
          annotated(
              Schema.createArray(merge(t.getElementType(), w.getElementType(), path + "[]")),
              t,
              w,
              path);
      case MAP ->
          annotated(
              Schema.createMap(merge(t.getValueType(), w.getValueType(), path + "{}")), t, w, path);
      default -> annotated(Schema.create(t.getType()), t, w, path);
    };
  }

  /** A schema that only one side has. */
  private Schema copy(Schema schema, String path) throws SchemaConflictException {
    return switch (schema.getType()) {
      case RECORD, ENUM, FIXED -> named(schema.getFullName(), path);
      case ARRAY ->
          annotated(Schema.createArray(copy(schema.getElementType(), path + "[]")), schema);
      case MAP -> annotated(Schema.createMap(copy(schema.getValueType(), path + "{}")), schema);
      case UNION -> {
        List<Schema> branches = new ArrayList<>();
        for (Schema branch : schema.getTypes()) {
          branches.add(copy(branch, path));
        }
        yield Schema.createUnion(branches);
      }
      default -> annotated(Schema.create(schema.getType()), schema);
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
      throw conflict(path, t, w, "the types differ");
    }
    return define(t, w, path);
  }

  private Schema define(Schema t, @Nullable Schema w, String path) throws SchemaConflictException {
    String name = t.getFullName();
    switch (t.getType()) {
      case ENUM -> {
        Set<String> symbols = new LinkedHashSet<>(t.getEnumSymbols());
        if (w != null) {
          symbols.addAll(w.getEnumSymbols());
        }
        Schema made =
            Schema.createEnum(name, t.getDoc(), null, new ArrayList<>(symbols), t.getEnumDefault());
        merged.put(name, made);
        return annotated(made, t, w == null ? t : w, path);
      }
      case FIXED -> {
        if (w != null && t.getFixedSize() != w.getFixedSize()) {
          throw conflict(path, t, w, "the sizes differ");
        }
        Schema made = Schema.createFixed(name, t.getDoc(), null, t.getFixedSize());
        merged.put(name, made);
        return annotated(made, t, w == null ? t : w, path);
      }
      default -> {
        Schema made = Schema.createRecord(name, t.getDoc(), null, t.isError());
        merged.put(name, made);
        made.setFields(w == null ? copiedFields(t, path) : mergedFields(t, w, path));
        return annotated(made, t, w == null ? t : w, path);
      }
    }
  }

  private List<Field> copiedFields(Schema record, String path) throws SchemaConflictException {
    List<Field> fields = new ArrayList<>();
    for (Field field : record.getFields()) {
      String fieldPath = path + "." + field.name();
      fields.add(field(field, copy(field.schema(), fieldPath), field.defaultVal(), fieldPath));
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
              : field(
                  ours,
                  merge(ours.schema(), theirs.schema(), fieldPath),
                  ours.defaultVal(),
                  fieldPath));
    }
    for (Field theirs : w.getFields()) {
      if (t.getField(theirs.name()) == null) {
        String fieldPath = path + "." + theirs.name();
        fields.add(
            needsFilesSchema(theirs.schema(), theirs.defaultVal())
                ? nullable(theirs, fieldPath)
                : optional(theirs, fieldPath));
      }
    }
    return fields;
  }

  /**
   * Hive reads values of these types by the schema of the file, and fails on a default of them for
   * files that lack the field.
   */
  private static boolean needsFilesSchema(Schema schema, @Nullable Object value) {
    if (value == null || value == JsonProperties.NULL_VALUE) {
      return false;
    }
    return switch (schema.getType()) {
      case RECORD -> true;
      case BYTES -> isDecimal(schema);
      case ARRAY ->
          value instanceof Collection<?> items
              && items.stream().anyMatch(item -> needsFilesSchema(schema.getElementType(), item));
      case MAP ->
          value instanceof Map<?, ?> entries
              && entries.values().stream()
                  .anyMatch(item -> needsFilesSchema(schema.getValueType(), item));
      case UNION -> {
        List<Schema> branches = withoutNull(schema.getTypes());
        yield branches.size() > 1 || needsFilesSchema(branches.get(0), value);
      }
      default -> false;
    };
  }

  /** A field that only one side has: it needs a default for the other's records. */
  private Field optional(Field field, String path) throws SchemaConflictException {
    return field.hasDefaultValue()
        ? field(field, copy(field.schema(), path), field.defaultVal(), path)
        : nullable(field, path);
  }

  private Field nullable(Field field, String path) throws SchemaConflictException {
    return field(field, nullFirst(copy(field.schema(), path)), JsonProperties.NULL_VALUE, path);
  }

  private static Schema nullFirst(Schema schema) {
    Schema none = Schema.create(Schema.Type.NULL);
    List<Schema> branches = new ArrayList<>();
    branches.add(none);
    for (Schema branch : schema.isUnion() ? schema.getTypes() : List.of(schema)) {
      if (branch.getType() != Schema.Type.NULL) {
        branches.add(branch);
      }
    }
    return branches.size() == 1 ? none : Schema.createUnion(branches);
  }

  private static Field field(Field like, Schema schema, @Nullable Object defaultValue, String path)
      throws SchemaConflictException {
    try {
      Field made = new Field(like.name(), schema, like.doc(), json(defaultValue), like.order());
      like.getObjectProps().forEach(made::addProp);
      return made;
    } catch (AvroRuntimeException e) {
      throw new SchemaConflictException(
          "Field %s: its default %s does not fit the schema %s. %s. Change the default, or take it away."
              .formatted(
                  PrintableText.of(path),
                  PrintableText.of(String.valueOf(defaultValue)),
                  PrintableText.of(schema.toString()),
                  PrintableText.of(String.valueOf(e.getMessage()))));
    }
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

  private Schema mergeUnions(Schema t, Schema w, String path) throws SchemaConflictException {
    List<Schema> ours = branches(t);
    List<Schema> theirs = branches(w);
    boolean oursIsPlain = withoutNull(ours).size() <= 1;
    boolean plain = oursIsPlain && withoutNull(theirs).size() <= 1;
    if (oursIsPlain && !plain) {
      throw conflict(path, t, w, "a plain type does not become a union of several");
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

  private static List<Schema> branches(Schema schema) {
    return schema.isUnion() ? schema.getTypes() : List.of(schema);
  }

  private static List<Schema> withoutNull(List<Schema> branches) {
    return branches.stream().filter(branch -> branch.getType() != Schema.Type.NULL).toList();
  }

  /**
   * The branch that one meets on the other side: the only one that is not null where neither side
   * has more (a nullable field may be promoted), else the one that no union can have beside it.
   */
  private static @Nullable Schema counterpart(Schema branch, List<Schema> others, boolean plain) {
    Stream<Schema> candidates =
        plain && branch.getType() != Schema.Type.NULL
            ? withoutNull(others).stream()
            : others.stream().filter(other -> other.getFullName().equals(branch.getFullName()));
    return candidates.findFirst().orElse(null);
  }

  private static boolean isNumber(Schema schema) {
    return switch (schema.getType()) {
      case INT, LONG, FLOAT, DOUBLE -> true;
      default -> false;
    };
  }

  private static boolean isWhole(Schema number) {
    return number.getType() == Schema.Type.INT || number.getType() == Schema.Type.LONG;
  }

  private static Schema promote(Schema t, Schema w, String path) throws SchemaConflictException {
    if (t.getProp(LOGICAL_TYPE) != null || w.getProp(LOGICAL_TYPE) != null) {
      throw conflict(path, t, w, "a number with a logical type does not become another one");
    }
    if (isWhole(t) && isWhole(w)) {
      return annotated(Schema.create(Schema.Type.LONG), t);
    }
    if (t.getType() == Schema.Type.LONG) {
      throw conflict(
          path, t, w, "a double would round longs that lie in the table, such as 9007199254740993");
    }
    return annotated(Schema.create(Schema.Type.DOUBLE), t);
  }

  /** Gives a merged schema the properties of the table's, once the logical types agree. */
  private static Schema annotated(Schema made, Schema t, Schema w, String path)
      throws SchemaConflictException {
    String ours = t.getProp(LOGICAL_TYPE);
    String theirs = w.getProp(LOGICAL_TYPE);
    if (ours == null || theirs == null) {
      return annotated(made, t);
    }
    if (!ours.equals(theirs)) {
      throw conflict(path, t, w, "the logical types differ");
    }
    if (!ours.equals("decimal")) {
      return annotated(made, t);
    }
    if (number(t, SCALE) != number(w, SCALE)) {
      throw conflict(path, t, w, "the decimals' scales differ");
    }
    made.addProp(PRECISION, Math.max(number(t, PRECISION), number(w, PRECISION)));
    return annotated(made, t);
  }

  private static Schema annotated(Schema made, Schema like) {
    like.getObjectProps()
        .forEach(
            (name, value) -> {
              if (!made.propsContainsKey(name)) {
                made.addProp(name, value);
              }
            });
    // Avro has a default for it, and Hive, which looks for it in the files too, has none.
    if (isDecimal(made) && !made.propsContainsKey(SCALE)) {
      made.addProp(SCALE, 0);
    }
    return made;
  }

  private static boolean isDecimal(Schema schema) {
    return (schema.getType() == Schema.Type.BYTES || schema.getType() == Schema.Type.FIXED)
        && "decimal".equals(schema.getProp(LOGICAL_TYPE));
  }

  private static int number(Schema schema, String property) {
    return schema.getObjectProp(property) instanceof Number number ? number.intValue() : 0;
  }

  private static SchemaConflictException conflict(String path, Schema t, Schema w, String problem) {
    return new SchemaConflictException(
        ("Field %s: the table has %s, the record's schema has %s: %s, and no schema reads both."
                + " Give the new schema a topic of its own, or a field of another name.")
            .formatted(PrintableText.of(path), shown(t), shown(w), problem));
  }

  private static String shown(Schema schema) {
    return switch (schema.getType()) {
      case RECORD, ENUM ->
          schema.getType().getName() + " " + PrintableText.of(schema.getFullName());
      default -> PrintableText.of(schema.toString(), SHOWN_CHARS);
    };
  }
}
