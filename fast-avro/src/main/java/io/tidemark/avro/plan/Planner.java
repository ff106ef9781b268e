package io.tidemark.avro.plan;

import io.tidemark.avro.plan.step.PlanStep;
import io.tidemark.avro.plan.step.StepTree;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Resolver.Action;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;

/**
 * Creates plans, which convert data of a writer schema to a reader schema.
 *
 * <p>The rules are those of Avro's schema resolution, as its library applies them. If both schemas
 * have the same encoding, datums are only validated and copied. Otherwise they are converted
 * without objects.
 *
 * <p>Two rules are stricter: named types must have the same name, with any namespace, or a matching
 * alias, and logical types must not contradict each other. A block of an array or map whose items
 * are converted keeps its count and loses its byte size. Entries of a map keep their order, and
 * equal keys remain.
 */
public final class Planner {

  private Planner() {}

  /**
   * Creates the plan from a writer schema to a reader schema. To validate datums only, pass the
   * same schema twice.
   *
   * @param writer the schema that the data were written with
   * @param table the reader schema
   * @param fieldPaths dotted names, in the reader schema, of fields to find in each datum; a path
   *     may go through records and through nullable records
   * @throws IncompatibleSchemasException if a value outside of unions can never be converted to the
   *     reader schema, such as an item of an array, although the array could be empty; if records
   *     have different names, without namespaces, and no alias, which Avro's library accepts; if
   *     logical types contradict each other, if defaults of the reader schema are too large, or if
   *     unions of the two have more than 500,000 pairs of records. A union branch or enum symbol
   *     that the reader schema lacks is not reported here, but by the run of a datum that uses it
   * @throws IllegalArgumentException if a path does not lead to a field
   */
  public static Plan plan(Schema writer, Schema table, List<String> fieldPaths) {
    fieldPaths.forEach(path -> fieldSchema(table, path));
    var fieldDefaults = new FieldDefaults();
    var defaults = new DefaultSteps(fieldDefaults);
    Action root = resolve(writer, table, fieldDefaults.genericData(), defaults);
    var resolution = new Resolution(writer, root);
    resolution
        .misfit()
        .ifPresent(
            misfit -> {
              throw new IncompatibleSchemasException(writer, table, misfit.place(), misfit.cause());
            });
    PlanStep step = PlanSteps.of(resolution, root, defaults, fieldPaths);
    return new Plan(writer, table, fieldPaths, new StepTree(step));
  }

  private static Action resolve(
      Schema writer, Schema table, GenericData data, DefaultSteps defaults) {
    // This check comes first: Avro's library overflows the stack on a default that contains itself.
    Optional<DefaultSteps.Invalid> excessive = defaults.excessive(table);
    if (excessive.isPresent()) {
      throw refusal(writer, table, excessive, "");
    }
    try {
      return UnionRecords.resolve(TypeNames.ofReader(writer, table), table, data);
    } catch (RuntimeException | StackOverflowError e) {
      // The cause is a default that is not of its type, or an alias that gives one name to two.
      var refusal = refusal(writer, table, defaults.invalid(table), String.valueOf(e.getMessage()));
      refusal.initCause(e);
      throw refusal;
    }
  }

  private static IncompatibleSchemasException refusal(
      Schema writer, Schema table, Optional<DefaultSteps.Invalid> invalid, String cause) {
    return new IncompatibleSchemasException(
        writer,
        table,
        new SchemaPlace(writer, "", invalid.map(DefaultSteps.Invalid::fieldPath).orElse("")),
        invalid.map(DefaultSteps.Invalid::cause).orElse(cause));
  }

  /**
   * Returns the schema of the field at a dotted path. For a union of null and one other type, it is
   * the branch that is not null.
   *
   * @throws IllegalArgumentException if the path does not lead to a field
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
    if (!DefaultSteps.isNullable(schema) || schema.getTypes().size() != 2) {
      return schema;
    }
    Schema first = schema.getTypes().get(0);
    return first.getType() == Schema.Type.NULL ? schema.getTypes().get(1) : first;
  }
}
