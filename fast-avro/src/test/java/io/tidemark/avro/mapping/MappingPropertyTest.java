package io.tidemark.avro.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.EvolvedSchema;
import io.tidemark.avro.RandomAvro;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.Planner;
import io.tidemark.avro.plan.UnresolvableDatumException;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.apache.avro.Schema;

/**
 * Compares mapped datums with the same values decoded, converted as objects and encoded by Avro's
 * library, over random schemas, data and rules. Each case follows from its seed.
 */
final class MappingPropertyTest {
  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void mappedDatumIsTheOneThatAvroEncodesOfTheConvertedObject(@ForAll long seed) throws Exception {
    var avro = new RandomAvro(seed);
    Random random = avro.random();
    Schema writer = LogicalAvro.of(avro.recordSchema(), random);
    var truncate = random.nextBoolean();
    SchemaMapping mapping = rules(random, truncate, fieldNames(writer));
    Schema mapped;
    try {
      mapped = mapping.schema(writer);
    } catch (UnmappableSchemaException e) {
      return;
    }
    // The text of the schema is one that every reader parses.
    assertThat(new Schema.Parser().parse(mapped.toString())).isEqualTo(mapped);
    Plan plan = mapping.plan(writer, mapped, fieldNames(mapped));
    var runs = new MappingRuns(plan);

    for (int i = 0; i < 5; i++) {
      Object value = avro.datum(writer);
      byte[] datum = AvroLibrary.encode(writer, value);
      byte[] expected;
      try {
        expected =
            AvroLibrary.encode(mapped, new MappedObjects(truncate).convert(value, writer, mapped));
      } catch (MappedObjects.InexactException e) {
        assertThatThrownBy(() -> runs.run(datum), e.getMessage() + "\n" + writer + "\n" + plan)
            .isInstanceOf(UnresolvableDatumException.class);
        continue;
      }
      assertThat(runs.run(datum).bytes())
          .as(() -> writer + "\n" + plan)
          .isEqualTo(MappingRuns.bytes(expected));
    }
  }

  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void onePlanDoesWhatTheMappingAndTheResolutionDoInTwo(@ForAll long seed) throws Exception {
    var avro = new RandomAvro(seed);
    Random random = avro.random();
    Schema writer = LogicalAvro.of(avro.recordSchema(), random);
    SchemaMapping mapping = rules(random, random.nextBoolean(), fieldNames(writer));
    Schema mapped;
    Schema table;
    Plan plan;
    try {
      mapped = mapping.schema(writer);
      table =
          random.nextBoolean()
              ? EvolvedSchema.of(mapped, random)
              : EvolvedSchema.daring(mapped, random);
      plan = mapping.plan(writer, table, fieldNames(table));
    } catch (UnmappableSchemaException | io.tidemark.avro.plan.IncompatibleSchemasException e) {
      return;
    }
    var runs = new MappingRuns(plan);
    var first = new MappingRuns(mapping.plan(writer, mapped, List.of()));
    var second = new MappingRuns(Planner.plan(mapped, table, fieldNames(table)));

    for (int i = 0; i < 5; i++) {
      byte[] datum = AvroLibrary.encode(writer, avro.datum(writer), random.nextBoolean());
      MappingRuns.Result expected;
      try {
        expected = second.run(HexFormat.of().parseHex(first.run(datum).bytes()));
      } catch (UnresolvableDatumException e) {
        // A dropped field is not converted, so the one plan may accept what the two do not.
        continue;
      }
      assertThat(runs.run(datum)).isEqualTo(expected);
    }
  }

  private static SchemaMapping rules(Random random, boolean truncate, List<String> fields) {
    var builder = SchemaMapping.builder();
    TypeRules.choices()
        .forEach(
            (from, to) -> {
              if (random.nextBoolean() && !from.equals("recursion")) {
                builder.type(from, to.get(random.nextInt(to.size())));
              }
            });
    if (truncate) {
      builder.truncate();
    }
    if (fields.size() > 1 && random.nextInt(3) == 0) {
      builder.exclude(fields.get(random.nextInt(fields.size())));
    }
    return builder.build();
  }

  private static List<String> fieldNames(Schema record) {
    return record.getFields().stream().map(Schema.Field::name).toList();
  }
}
