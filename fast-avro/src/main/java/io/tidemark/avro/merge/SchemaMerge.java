package io.tidemark.avro.merge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.tidemark.avro.mapping.SchemaMapping;
import io.tidemark.avro.plan.FieldDefaults;
import io.tidemark.avro.plan.TypeNames;
import io.tidemark.avro.plan.TypePairs;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.JsonProperties;
import org.apache.avro.LogicalTypes.Decimal;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Field;
import org.jspecify.annotations.Nullable;

/**
 * Merges a writer schema into a table schema, according to the rules of {@link MergedSchema}.
 *
 * <p>A named type has one definition in the result, even if it is used several times, and even if
 * the writer has several types for it. So the types of both sides are collected first, and each
 * type of the result is merged once. A type of the writer that is at the place of a type of the
 * table gets the table's name.
 */
final class SchemaMerge {
  private final Schema table;
  private final Schema writer;
  private final TypePairs pairs;
  private final boolean newFields;
  private final Map<String, Schema> merged = new HashMap<>();
  private final Map<String, String> lostDefaults = new LinkedHashMap<>();
  private final List<String> withoutDefault = new ArrayList<>();

  /** Without {@code newFields}, the result has only fields that the table has. */
  SchemaMerge(Schema table, Schema writer, boolean newFields) {
    this.table = table;
    this.newFields = newFields;
    this.writer = writer;
    this.pairs = TypePairs.of(table, writer);
  }

  Schema merged() throws UnmergeableSchemasException {
    return merge(table, writer, table.getName());
  }

  /** Returns whether aliases are new. Avro ignores them when it compares schemas. */
  boolean addsAliases() {
    return pairs.addsAliases();
  }

  /** Returns the defaults that do not apply to files, by field. */
  Map<String, String> lostDefaults() {
    return lostDefaults;
  }

  /** Returns the new fields that have no default. */
  List<String> withoutDefault() {
    return withoutDefault;
  }

  private Schema merge(Schema t, Schema w, String path) throws UnmergeableSchemasException {
    if (t.isUnion() || w.isUnion() || isNull(t) != isNull(w)) {
      return mergeUnions(t, w, path);
    }
    if (MergedType.isNumber(t) && MergedType.isNumber(w) && t.getType() != w.getType()) {
      return MergedType.promote(t, w, path);
    }
    if (t.getType() != w.getType()) {
      throw UnmergeableSchemasException.between(path, t, w, "the types differ");
    }
    return switch (t.getType()) {
      case RECORD, ENUM, FIXED -> {
        if (!TypeNames.matchEitherWay(t, w)) {
          throw UnmergeableSchemasException.betweenTypes(path, t, w);
        }
        yield named(t.getFullName(), path);
      }
      case ARRAY ->
          MergedType.annotated(
              Schema.createArray(merge(t.getElementType(), w.getElementType(), path + "[]")),
              t,
              List.of(w),
              path);
      case MAP ->
          MergedType.annotated(
              Schema.createMap(merge(t.getValueType(), w.getValueType(), path + "{}")),
              t,
              List.of(w),
              path);
      default -> {
        Schema made = Schema.create(t.getType());
        if (newFields && MergedType.isConverted(w)) { // else the columns stay as they are
          made.addProp(SchemaMapping.CONVERTED, w.getProp(SchemaMapping.CONVERTED));
        }
        yield MergedType.annotated(made, t, List.of(w), path);
      }
    };
  }

  private Schema copy(Schema schema, String path) throws UnmergeableSchemasException {
    return switch (schema.getType()) {
      case RECORD, ENUM, FIXED -> named(pairs.nameOf(schema), path);
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

  private Schema named(String name, String path) throws UnmergeableSchemasException {
    Schema known = merged.get(name);
    if (known != null) {
      return known;
    }
    Schema t = pairs.readerTypes().get(name);
    Schema w = pairs.writerTypes().get(name);
    if (t == null) {
      return define(Objects.requireNonNull(w), List.of(), path);
    }
    if (w != null && t.getType() != w.getType()) {
      throw UnmergeableSchemasException.between(path, t, w, "the types differ");
    }
    return define(t, pairs.counterparts(name), path);
  }

  /** Merges a type with the writer's types at its places. */
  private Schema define(Schema t, List<Schema> others, String path)
      throws UnmergeableSchemasException {
    String name = t.getFullName();
    Schema made;
    switch (t.getType()) {
      case ENUM -> {
        Set<String> symbols = new LinkedHashSet<>(t.getEnumSymbols());
        others.forEach(w -> symbols.addAll(w.getEnumSymbols()));
        made =
            Schema.createEnum(name, t.getDoc(), null, new ArrayList<>(symbols), t.getEnumDefault());
      }
      case FIXED -> {
        for (Schema w : others) {
          if (t.getFixedSize() != w.getFixedSize()) {
            throw UnmergeableSchemasException.between(path, t, w, "the sizes differ");
          }
        }
        made = Schema.createFixed(name, t.getDoc(), null, t.getFixedSize());
      }
      default -> made = Schema.createRecord(name, t.getDoc(), null, t.isError());
    }
    pairs.aliases(name).forEach(made::addAlias);
    merged.put(name, made); // Before its fields, because a record may contain itself.
    if (t.getType() == Schema.Type.RECORD) {
      made.setFields(fields(t, others, path));
    }
    return MergedType.annotated(made, t, others, path);
  }

  private List<Field> fields(Schema t, List<Schema> others, String path)
      throws UnmergeableSchemasException {
    Map<String, List<Field>> byName = new LinkedHashMap<>();
    Stream.concat(Stream.of(t), others.stream())
        .flatMap(record -> record.getFields().stream())
        .forEach(field -> byName.computeIfAbsent(field.name(), n -> new ArrayList<>()).add(field));
    if (!newFields) {
      byName.keySet().removeIf(name -> t.getField(name) == null);
    }
    List<Field> fields = new ArrayList<>();
    for (List<Field> same : byName.values()) {
      String name = same.get(0).name();
      boolean everywhere = same.size() == 1 + others.size();
      fields.add(field(same, t.getField(name) == null, everywhere, path + "." + name));
    }
    return fields;
  }

  /**
   * Merges the fields of one name. If one of the types lacks it and there is no default, the field
   * becomes nullable: records of that type lack it.
   */
  private Field field(List<Field> same, boolean isNew, boolean everywhere, String path)
      throws UnmergeableSchemasException {
    Field first = same.get(0);
    if (isNew && !first.hasDefaultValue()) {
      withoutDefault.add(path);
    }
    Schema schema = isNew || same.size() == 1 ? copy(first.schema(), path) : first.schema();
    for (Field other : same.subList(1, same.size())) {
      schema = merge(schema, other.schema(), path);
    }
    Object given = FieldDefaults.object(first);
    Object value = new FieldDefaults().isIncomplete(first) ? null : given;
    boolean appliesToFiles =
        value != null && !(isNew && MergedField.needsFilesSchema(first.schema(), value));
    if (everywhere || appliesToFiles) {
      return MergedField.like(first, schema, value, path);
    }
    if (first.hasDefaultValue() && given != JsonProperties.NULL_VALUE) {
      lostDefaults.put(
          UnmergeableSchemasException.shown(path),
          UnmergeableSchemasException.shown(text(first.schema(), given)));
    }
    return MergedField.nullable(first, schema, path);
  }

  /** Returns a default as queries would show it; bytes that are not a decimal as in a schema. */
  private static String text(Schema schema, @Nullable Object value) {
    if (value instanceof byte[] bytes) {
      return branches(schema).stream()
          .filter(branch -> bytes.length > 0)
          .flatMap(branch -> Stream.ofNullable(branch.getLogicalType()))
          .flatMap(type -> type instanceof Decimal one ? Stream.of(one.getScale()) : Stream.of())
          .map(scale -> new BigDecimal(new BigInteger(bytes), scale).toString())
          .findFirst()
          .orElseGet(() -> new String(bytes, ISO_8859_1));
    }
    if (value instanceof Map<?, ?> fields) {
      Map<Object, String> texts = new LinkedHashMap<>();
      fields.forEach((name, field) -> texts.put(name, text(fieldOr(schema, name), field)));
      return texts.toString();
    }
    return String.valueOf(value);
  }

  private static Schema fieldOr(Schema schema, Object name) {
    return branches(schema).stream()
        .filter(branch -> branch.getType() == Schema.Type.RECORD)
        .flatMap(branch -> Stream.ofNullable(branch.getField(name.toString())))
        .map(Field::schema)
        .findFirst()
        .orElse(schema);
  }

  private Schema mergeUnions(Schema t, Schema w, String path) throws UnmergeableSchemasException {
    List<Schema> ours = branches(t);
    List<Schema> theirs = branches(w);
    boolean oursIsPlain = withoutNull(ours).size() <= 1;
    boolean plain = oursIsPlain && withoutNull(theirs).size() <= 1;
    if (oursIsPlain && !plain) {
      throw UnmergeableSchemasException.between(
          path, t, w, "a plain type cannot become a union of several types");
    }
    int[] to = counterparts(ours, theirs);
    int[] from = inverse(to, ours.size());
    List<Schema> result = new ArrayList<>();
    for (int i = 0; i < ours.size(); i++) {
      result.add(
          from[i] < 0 ? copy(ours.get(i), path) : merge(ours.get(i), theirs.get(from[i]), path));
    }
    for (int i = 0; i < to.length; i++) {
      if (to[i] < 0) {
        result.add(copy(theirs.get(i), path));
      }
    }
    return result.size() == 1 && !t.isUnion() ? result.get(0) : Schema.createUnion(result);
  }

  static List<Schema> branches(Schema schema) {
    return schema.isUnion() ? schema.getTypes() : List.of(schema);
  }

  static List<Schema> withoutNull(List<Schema> branches) {
    return branches.stream().filter(branch -> !isNull(branch)).toList();
  }

  /**
   * Returns the table's branch for each branch of the writer, or -1. For nullable fields, it is the
   * other non-null branch, whose type may be promoted. For other unions, it is the branch of the
   * same type and name.
   */
  private static int[] counterparts(List<Schema> ours, List<Schema> theirs) {
    if (withoutNull(ours).size() <= 1 && withoutNull(theirs).size() <= 1) {
      return theirs.stream()
          .mapToInt(
              w ->
                  IntStream.range(0, ours.size())
                      .filter(i -> isNull(ours.get(i)) == isNull(w))
                      .findFirst()
                      .orElse(-1))
          .toArray();
    }
    return TypeNames.branchesEitherWay(ours, theirs);
  }

  private static boolean isNull(Schema schema) {
    return schema.getType() == Schema.Type.NULL;
  }

  private static int[] inverse(int[] to, int size) {
    int[] from = new int[size];
    Arrays.fill(from, -1);
    for (int i = 0; i < to.length; i++) {
      if (to[i] >= 0) {
        from[to[i]] = i;
      }
    }
    return from;
  }
}
