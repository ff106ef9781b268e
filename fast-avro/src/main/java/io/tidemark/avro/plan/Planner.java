package io.tidemark.avro.plan;

import java.util.List;
import java.util.Locale;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.Incompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;

/**
 * Decides how data of a writer schema becomes data of a table schema.
 *
 * <p>Where both say the same of the same bytes, a datum is checked and copied. Else Avro's schema
 * resolution rewrites it. Names of records, defaults, aliases, documentation and other properties
 * say nothing of bytes.
 */
public final class Planner {

  private Planner() {}

  /**
   * Makes the plan from a writer schema to a table schema.
   *
   * @param writer the schema that the data were written with
   * @param table the schema that they are to have
   * @param fieldPaths dotted names, in the table's schema, of fields to find in each datum; they
   *     may lead through records and unions of null and a record
   * @throws IncompatibleSchemasException if Avro cannot resolve the writer's schema to the table's,
   *     or their logical types contradict each other
   * @throws IllegalArgumentException if a path leads to no field
   */
  public static Plan plan(Schema writer, Schema table, List<String> fieldPaths) {
    fieldPaths.forEach(path -> fieldSchema(table, path));
    if (writer.equals(table)) {
      return new Plan(writer, table, fieldPaths, CheckSteps.of(table, fieldPaths));
    }
    requireCompatible(writer, table);
    Schema renamed = Schema.applyAliases(writer, table);
    SchemaPairs.conflict(renamed, table)
        .ifPresent(
            conflict -> {
              throw new IncompatibleSchemasException(
                  writer, table, conflict.fieldPath(), conflict.cause());
            });
    if (SchemaPairs.sameLayout(renamed, table)) {
      return new Plan(writer, table, fieldPaths, CheckSteps.of(renamed, fieldPaths));
    }
    return new Plan(
        writer,
        table,
        fieldPaths,
        new PlanStep.Rewrite(CheckSteps.of(writer, List.of()), CheckSteps.of(table, fieldPaths)));
  }

  /**
   * The schema of the field at a dotted path, with the null of a nullable union taken away.
   *
   * @throws IllegalArgumentException if the path leads to no field
   */
  public static Schema fieldSchema(Schema table, String path) {
    Schema schema = table;
    int from = 0;
    while (from <= path.length()) {
      int dot = path.indexOf('.', from);
      int to = dot < 0 ? path.length() : dot;
      schema = withoutNull(field(schema, path, from, to).schema());
      from = to + 1;
    }
    return schema;
  }

  private static Schema.Field field(Schema schema, String path, int from, int to) {
    String name = path.substring(from, to);
    if (schema.getType() != Schema.Type.RECORD) {
      throw new IllegalArgumentException(
          "no field \"%s\": %s is %s, not a record"
              .formatted(
                  path,
                  from == 0 ? "the root" : '"' + path.substring(0, from - 1) + '"',
                  schema.getType().getName()));
    }
    Schema.Field field = schema.getField(name);
    if (field == null) {
      throw new IllegalArgumentException(
          "no field \"%s\": record %s has no \"%s\", only %s"
              .formatted(
                  path,
                  schema.getFullName(),
                  name,
                  schema.getFields().stream().map(Schema.Field::name).toList()));
    }
    return field;
  }

  private static Schema withoutNull(Schema schema) {
    if (!schema.isUnion() || !schema.isNullable() || schema.getTypes().size() != 2) {
      return schema;
    }
    Schema first = schema.getTypes().get(0);
    return first.getType() == Schema.Type.NULL ? schema.getTypes().get(1) : first;
  }

  private static void requireCompatible(Schema writer, Schema table) {
    var result = SchemaCompatibility.checkReaderWriterCompatibility(table, writer).getResult();
    if (result.getCompatibility() != SchemaCompatibilityType.COMPATIBLE) {
      Incompatibility first = result.getIncompatibilities().get(0);
      String kind = first.getType().name().toLowerCase(Locale.ROOT).replace('_', ' ');
      throw new IncompatibleSchemasException(
          writer, table, pathAt(table, first.getLocation()), kind + ", " + first.getMessage());
    }
  }

  /**
   * The dotted path of a place in a schema that Avro gives as a pointer into its JSON.
   *
   * <p>Example: {@code /fields/3/type/items/fields/0/type} is {@code legs[].fee}.
   */
  private static String pathAt(Schema table, String pointer) {
    var path = new StringBuilder();
    Schema schema = table;
    String[] tokens = pointer.split("/", -1);
    for (int i = 0; i < tokens.length; i++) {
      if (tokens[i].equals("items") && schema.getType() == Schema.Type.ARRAY) {
        path.append("[]");
        schema = schema.getElementType();
      } else if (tokens[i].equals("values") && schema.getType() == Schema.Type.MAP) {
        path.append("{}");
        schema = schema.getValueType();
      } else if (tokens[i].equals("fields") && schema.getType() == Schema.Type.RECORD) {
        Schema.Field field = schema.getFields().get(Integer.parseInt(tokens[++i]));
        path.append(path.length() == 0 ? "" : ".").append(field.name());
        schema = field.schema();
      }
    }
    return path.toString();
  }
}
