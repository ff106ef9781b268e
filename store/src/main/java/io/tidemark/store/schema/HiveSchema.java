package io.tidemark.store.schema;

import io.tidemark.store.PrintableText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;

/**
 * A table's schema in Hive: a Hive type for every field, in their order, without the fields that
 * are also partition columns. Hive would reject these as duplicates.
 */
public record HiveSchema(Schema avro, List<HiveColumn> columns) {
  public static final int DECIMAL_MAX_PRECISION = 38;
  private static final int MAX_TYPE_CHARS = 1 << 20;

  public HiveSchema {
    columns = List.copyOf(columns);
  }

  /** A field without a type in Hive, or two fields with one name in Hive, are rejected. */
  public static HiveSchema of(Schema table, List<String> partitionColumns)
      throws SchemaConflictException {
    Schema avro = without(table, partitionColumns);
    List<HiveColumn> columns = new ArrayList<>();
    Map<String, String> names = new HashMap<>();
    for (Schema.Field field : avro.getFields()) {
      String path = table.getName() + "." + field.name();
      columns.add(
          new HiveColumn(
              unique(field.name(), names, table.getName()),
              type(field.schema(), path, new HashSet<>(Set.of(avro.getFullName()))),
              field.doc() == null ? "" : field.doc()));
    }
    if (columns.isEmpty()) {
      throw new SchemaConflictException(
          "%s has no field other than the partition columns %s, but a Hive table needs one. Add a field, or choose other partition columns."
              .formatted(PrintableText.of(table.getFullName()), partitionColumns));
    }
    return new HiveSchema(avro, columns);
  }

  private static Schema without(Schema table, List<String> partitionColumns) {
    List<Schema.Field> kept =
        table.getFields().stream()
            .filter(field -> !partitionColumns.contains(field.name().toLowerCase(Locale.ROOT)))
            .toList();
    if (kept.size() == table.getFields().size()) {
      return table;
    }
    Schema record =
        Schema.createRecord(
            table.getFullName(),
            table.getDoc(),
            null,
            table.isError(),
            kept.stream().map(field -> new Schema.Field(field, field.schema())).toList());
    table.getObjectProps().forEach(record::addProp);
    return record;
  }

  private static String type(Schema schema, String path, Set<String> enclosing)
      throws SchemaConflictException {
    return switch (schema.getType()) {
      case STRING, ENUM -> "string";
      case BOOLEAN -> "boolean";
      case FLOAT -> "float";
      case DOUBLE -> "double";
      case NULL -> "void";
      case INT -> "date".equals(schema.getProp("logicalType")) ? "date" : "int";
      case LONG ->
          "timestamp-millis".equals(schema.getProp("logicalType")) ? "timestamp" : "bigint";
      case BYTES -> isDecimal(schema) ? decimal(schema, path) : "binary";
      // Hive reads a decimal on fixed as its bytes, so its number of digits does not matter.
      case FIXED -> isDecimal(schema) && !isWide(schema) ? decimal(schema, path) : "binary";
      case ARRAY -> "array<" + type(schema.getElementType(), path + "[]", enclosing) + ">";
      case MAP -> "map<string," + type(schema.getValueType(), path + "{}", enclosing) + ">";
      case UNION -> union(schema, path, enclosing);
      case RECORD -> struct(schema, path, enclosing);
    };
  }

  private static String decimal(Schema schema, String path) throws SchemaConflictException {
    int precision = number(schema, "precision");
    int scale = number(schema, "scale");
    if (precision < 1 || precision > DECIMAL_MAX_PRECISION || scale < 0 || scale > precision) {
      throw new SchemaConflictException(
          "Field %s is a decimal of precision %d and scale %d, but Hive has precisions from 1 to %d and scales from 0 to the precision. With types.decimal.unbounded=decimal(38,s) it could land if its scale is at most 38, and with string at most 1000. Make it smaller, or a string."
              .formatted(PrintableText.of(path), precision, scale, DECIMAL_MAX_PRECISION));
    }
    return "decimal(" + precision + "," + scale + ")";
  }

  private static String union(Schema schema, String path, Set<String> enclosing)
      throws SchemaConflictException {
    List<String> types = new ArrayList<>();
    for (Schema branch : schema.getTypes()) {
      if (branch.getType() == Schema.Type.BYTES
          && isWide(branch)
          && schema.getIndexNamed("string") != null) {
        throw new SchemaConflictException(
            "Field %s is a decimal of precision %d in a union that has a string, so types.decimal.unbounded=string cannot make it one. Set decimal(38,s) for this topic (topic.NAME.types.decimal.unbounded) if the scale is at most 38, remove one of the two, or leave the table out of Hive: topic.NAME.hive.integration=false."
                .formatted(PrintableText.of(path), number(branch, "precision")));
      }
      if (branch.getType() != Schema.Type.NULL) {
        types.add(type(branch, path, enclosing));
      }
    }
    return switch (types.size()) {
      case 0 -> "void";
      case 1 -> types.get(0);
      default -> "uniontype<" + String.join(",", types) + ">";
    };
  }

  private static boolean isDecimal(Schema schema) {
    return "decimal".equals(schema.getProp("logicalType"));
  }

  private static int number(Schema schema, String property) {
    return schema.getObjectProp(property) instanceof Number number ? number.intValue() : 0;
  }

  private static boolean isWide(Schema schema) {
    return isDecimal(schema) && number(schema, "precision") > DECIMAL_MAX_PRECISION;
  }

  private static String struct(Schema record, String path, Set<String> enclosing)
      throws SchemaConflictException {
    if (!enclosing.add(record.getFullName())) {
      throw new SchemaConflictException(
          "Field %s contains the record %s recursively, but Hive has no recursive types. Land it as a string, or leave the table out of Hive: topic.NAME.hive.integration=false."
              .formatted(PrintableText.of(path), PrintableText.of(record.getFullName())));
    }
    List<String> members = new ArrayList<>();
    Map<String, String> names = new HashMap<>();
    for (Schema.Field field : record.getFields()) {
      String name = unique(field.name(), names, path);
      members.add(name + ":" + type(field.schema(), path + "." + field.name(), enclosing));
    }
    enclosing.remove(record.getFullName());
    String struct = "struct<" + String.join(",", members) + ">";
    if (struct.length() > MAX_TYPE_CHARS) {
      throw new SchemaConflictException(
          "Field %s has a type of more than %d characters in Hive. Make it smaller, or leave the table out of Hive: topic.NAME.hive.integration=false."
              .formatted(PrintableText.of(path), MAX_TYPE_CHARS));
    }
    return struct;
  }

  private static String unique(String name, Map<String, String> names, String path)
      throws SchemaConflictException {
    String lowerCase = name.toLowerCase(Locale.ROOT);
    String other = names.put(lowerCase, name);
    if (other != null) {
      throw new SchemaConflictException(
          "%s has the fields %s and %s, which Hive does not distinguish: it ignores case. Rename one of them."
              .formatted(PrintableText.of(path), PrintableText.of(other), PrintableText.of(name)));
    }
    return lowerCase;
  }
}
