package io.tidemark.avro.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.DamagedDatum;
import io.tidemark.avro.EvolvedSchema;
import io.tidemark.avro.RandomAvro;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.apache.avro.Schema;

/**
 * Compares schema resolution with that of Avro's library, over random schemas and data. Each case
 * follows from its seed.
 */
final class ResolutionPropertyTest {
  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void datumOfAnEarlierSchemaBecomesTheOneThatAvroReads(@ForAll long seed) {
    var avro = new RandomAvro(seed);
    Schema writer = avro.recordSchema();
    Schema table = EvolvedSchema.of(writer, avro.random());
    var reading = new TableReading(Planner.plan(writer, table, fieldNames(table)));

    for (int i = 0; i < 5; i++) {
      byte[] datum = AvroLibrary.encode(writer, avro.datum(writer), avro.random().nextBoolean());
      assertThat(reading.read(datum)).isTrue();
    }
  }

  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void datumThatTheTableCannotHoldIsRefusedAsAvroRefusesIt(@ForAll long seed) {
    var avro = new RandomAvro(seed);
    Schema writer = avro.recordSchema();
    Schema table = EvolvedSchema.daring(writer, avro.random());
    TableReading reading;
    try {
      reading = new TableReading(Planner.plan(writer, table, fieldNames(table)));
    } catch (IncompatibleSchemasException e) {
      return;
    }

    for (int i = 0; i < 5; i++) {
      byte[] datum = AvroLibrary.encode(writer, avro.datum(writer), avro.random().nextBoolean());
      reading.read(datum);
    }
  }

  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void unrelatedSchemasAreRefusedWhenPlannedOrReadAsAvroReads(@ForAll long seed) {
    var avro = new RandomAvro(seed);
    Schema writer = avro.schema();
    Schema table = new RandomAvro(seed + 1).schema();
    TableReading reading;
    try {
      reading = new TableReading(Planner.plan(writer, table, List.of()));
    } catch (IncompatibleSchemasException e) {
      return;
    }

    byte[] datum = AvroLibrary.encode(writer, avro.datum(writer));
    reading.read(datum);
  }

  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void damagedDatumIsMalformedOrBecomesWhatAvroReads(@ForAll long seed) {
    var avro = new RandomAvro(seed);
    Schema writer = avro.recordSchema();
    Schema table = EvolvedSchema.of(writer, avro.random());
    var reading = new TableReading(Planner.plan(writer, table, fieldNames(table)));
    byte[] datum = AvroLibrary.encode(writer, avro.datum(writer), avro.random().nextBoolean());

    for (int i = 0; i < 10; i++) {
      reading.read(DamagedDatum.of(datum, avro.random()));
    }
  }

  private static List<String> fieldNames(Schema record) {
    return record.getFields().stream().map(Schema.Field::name).toList();
  }
}
