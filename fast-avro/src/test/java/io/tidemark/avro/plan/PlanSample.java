package io.tidemark.avro.plan;

import io.tidemark.avro.EvolvedSchema;
import io.tidemark.avro.RandomAvro;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/** Plans of many kinds. Each has a number, from which its schemas follow. */
final class PlanSample {
  private PlanSample() {}

  /** A plan that copies and captures all of the record's fields. */
  static Plan copying(long number) {
    Schema schema = new RandomAvro(number).recordSchema();
    return Planner.plan(schema, schema, fieldNames(schema));
  }

  /** A plan from a schema to a later version of it, if this is possible. */
  static Optional<Plan> evolving(long number) {
    var avro = new RandomAvro(number);
    Schema writer = avro.recordSchema();
    Schema table =
        number % 2 == 0
            ? EvolvedSchema.of(writer, avro.random())
            : EvolvedSchema.daring(writer, avro.random());
    try {
      return Optional.of(Planner.plan(writer, table, fieldNames(table)));
    } catch (IncompatibleSchemasException e) {
      return Optional.empty();
    }
  }

  static List<String> fieldNames(Schema record) {
    return record.getFields().stream().map(Schema.Field::name).toList();
  }
}
