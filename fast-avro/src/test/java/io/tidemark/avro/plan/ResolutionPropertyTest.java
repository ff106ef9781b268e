package io.tidemark.avro.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.EvolvedSchema;
import io.tidemark.avro.RandomAvro;
import io.tidemark.avro.binary.MalformedDatumException;
import java.io.IOException;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.apache.avro.AvroTypeException;
import org.apache.avro.Schema;

/**
 * Schema resolution beside that of Avro's library, over random schemas and data. Each case follows
 * from its seed.
 */
final class ResolutionPropertyTest {

  @Property(tries = 2_000, shrinking = ShrinkingMode.OFF)
  void datumOfAnEarlierSchemaBecomesTheOneThatAvroReads(@ForAll long seed) throws Exception {
    var avro = new RandomAvro(seed);
    Schema writer = avro.recordSchema();
    Schema table = EvolvedSchema.of(writer, avro.random());
    var interpreter = new PlanInterpreter(Planner.plan(writer, table, fieldNames(table)));
    var result = new TableDatum();

    for (int i = 0; i < 5; i++) {
      byte[] datum = AvroLibrary.encode(writer, avro.datum(writer), avro.random().nextBoolean());
      interpreter.run(datum, 0, datum.length, result);

      assertThat(AvroLibrary.decode(table, table, result.bytes(), result.offset(), result.length()))
          .isEqualTo(AvroLibrary.decode(writer, table, datum, 0, datum.length));
    }
  }

  @Property(tries = 2_000, shrinking = ShrinkingMode.OFF)
  void unrelatedSchemasAreRefusedWhenPlannedOrReadAsAvroReads(@ForAll long seed) throws Exception {
    var avro = new RandomAvro(seed);
    Schema writer = avro.schema();
    Schema table = new RandomAvro(seed + 1).schema();
    PlanInterpreter interpreter;
    try {
      interpreter = new PlanInterpreter(Planner.plan(writer, table, List.of()));
    } catch (IncompatibleSchemasException e) {
      return;
    }
    byte[] datum = AvroLibrary.encode(writer, avro.datum(writer));
    var result = new TableDatum();
    try {
      interpreter.run(datum, 0, datum.length, result);
    } catch (UnresolvableDatumException e) {
      assertThatThrownBy(() -> AvroLibrary.decode(writer, table, datum, 0, datum.length))
          .as("what we refuse: %s", e.getMessage())
          .isInstanceOf(AvroTypeException.class);
      return;
    }
    assertThat(AvroLibrary.decode(table, table, result.bytes(), result.offset(), result.length()))
        .isEqualTo(AvroLibrary.decode(writer, table, datum, 0, datum.length));
  }

  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void damagedDatumIsMalformedOrRewritten(@ForAll long seed) throws IOException {
    var avro = new RandomAvro(seed);
    Schema writer = avro.recordSchema();
    Schema table = EvolvedSchema.of(writer, avro.random());
    var interpreter = new PlanInterpreter(Planner.plan(writer, table, fieldNames(table)));
    byte[] datum = AvroLibrary.encode(writer, avro.datum(writer));
    var result = new TableDatum();

    for (int i = 0; i < 10; i++) {
      byte[] damaged = datum.clone();
      if (damaged.length > 0) {
        damaged[avro.random().nextInt(damaged.length)] = (byte) avro.random().nextInt();
      }
      try {
        interpreter.run(damaged, 0, damaged.length, result);
      } catch (MalformedDatumException e) {
        continue;
      }
      assertThat(AvroLibrary.decode(table, table, result.bytes(), result.offset(), result.length()))
          .isEqualTo(AvroLibrary.decode(writer, table, damaged, 0, damaged.length));
    }
  }

  private static List<String> fieldNames(Schema record) {
    return record.getFields().stream().map(Schema.Field::name).toList();
  }
}
