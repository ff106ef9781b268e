package io.tidemark.avro.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.EvolvedSchema;
import io.tidemark.avro.RandomAvro;
import io.tidemark.avro.merge.MergedSchema;
import io.tidemark.avro.merge.UnmergeableSchemasException;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.Planner;
import io.tidemark.avro.plan.UnresolvableDatumException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;

/**
 * Compares mapped datums with the same values decoded, converted as objects and encoded by Avro's
 * library, over random schemas, data and rules. Each case follows from its seed.
 */
final class MappingPropertyTest {
  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void mappedDatumIsTheOneThatAvroEncodesOfTheConvertedObject(@ForAll long seed) throws Exception {
    var avro = new RandomAvro(seed);
    Random random = avro.random();
    Schema written = LogicalAvro.of(avro.recordSchema(), random);
    Optional<RandomEnvelope> envelope = envelope(written, random);
    Schema writer = envelope.map(RandomEnvelope::schema).orElse(written);
    Schema row = envelope.map(RandomEnvelope::row).orElse(written);
    var truncate = random.nextBoolean();
    SchemaMapping mapping = rules(random, truncate, row, envelope.isPresent());
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
        if (envelope.isPresent()) {
          value =
              envelope
                  .get()
                  .row((GenericRecord) Objects.requireNonNull(value))
                  .orElseThrow(() -> new MappedObjects.InexactException("neither image"));
        }
        expected =
            AvroLibrary.encode(mapped, new MappedObjects(truncate).convert(value, row, mapped));
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
    Schema written = LogicalAvro.of(avro.recordSchema(), random);
    Optional<RandomEnvelope> envelope = envelope(written, random);
    Schema writer = envelope.map(RandomEnvelope::schema).orElse(written);
    Schema row = envelope.map(RandomEnvelope::row).orElse(written);
    SchemaMapping mapping = rules(random, random.nextBoolean(), row, envelope.isPresent());
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

  /** A merge that succeeds must not leave a writer without a plan: its topic would wait. */
  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void tableOfTwoMappedWritersTakesTheRecordsOfBoth(@ForAll long seed) throws Exception {
    var avro = new RandomAvro(seed);
    Random random = avro.random();
    Schema earlier = LogicalAvro.of(avro.recordSchema(), random);
    Schema later = EvolvedSchema.of(earlier, random);
    SchemaMapping mapping = rules(random, random.nextBoolean(), earlier, false);
    Schema table;
    try {
      table = MergedSchema.first(mapping.schema(earlier)).schema();
      table = MergedSchema.of(table, mapping.schema(later)).schema();
    } catch (UnmappableSchemaException | UnmergeableSchemasException e) {
      return;
    }
    for (Schema writer : List.of(earlier, later)) {
      Schema mapped = mapping.schema(writer);
      var runs = new MappingRuns(mapping.plan(writer, table, List.of()));
      var first = new MappingRuns(mapping.plan(writer, mapped, List.of()));
      var second = new MappingRuns(Planner.plan(mapped, table, List.of()));
      byte[] datum = AvroLibrary.encode(writer, avro.datum(writer), random.nextBoolean());
      MappingRuns.Result expected;
      try {
        expected = second.run(HexFormat.of().parseHex(first.run(datum).bytes()));
      } catch (UnresolvableDatumException e) {
        continue;
      }
      assertThat(runs.run(datum)).isEqualTo(expected);
    }
  }

  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void versionsLandInOneTableAsAvroConvertsAndReadsThem(@ForAll long seed) throws Exception {
    var avro = new RandomAvro(seed);
    Random random = avro.random();
    Schema record = LogicalAvro.of(avro.recordSchema(), random);
    boolean unwrap = random.nextInt(3) == 0;
    boolean truncate = random.nextBoolean();
    SchemaMapping mapping = rules(random, truncate, record, unwrap);

    new MappedVersions(record, avro, mapping, unwrap, truncate).check(5);
  }

  private static Optional<RandomEnvelope> envelope(Schema row, Random random) {
    return random.nextInt(3) == 0
        ? Optional.of(RandomEnvelope.around(row, random))
        : Optional.empty();
  }

  static SchemaMapping rules(Random random, boolean truncate, Schema row, boolean unwrap) {
    List<String> fields = fieldNames(row);
    var builder = SchemaMapping.builder();
    if (unwrap) {
      builder.unwrap();
    }
    TypeRules.choices()
        .forEach(
            (from, to) -> {
              if (random.nextBoolean()) {
                builder.type(
                    from, from.equals("recursion") ? "json" : to.get(random.nextInt(to.size())));
              }
            });
    if (truncate) {
      builder.truncate();
    }
    if (!fields.isEmpty() && random.nextInt(3) == 0) {
      List<List<String>> choices = List.copyOf(TypeRules.choices().values());
      List<String> to = choices.get(random.nextInt(choices.size()));
      String type = to.contains("json") ? "as-is" : to.get(random.nextInt(to.size()));
      builder.fieldType(fields.get(random.nextInt(fields.size())), type);
    } else if (fields.size() > 1 && random.nextInt(3) == 0) {
      builder.exclude(fields.get(random.nextInt(fields.size())));
    }
    List<String> paths = new ArrayList<>();
    addPaths(row, "", new HashSet<>(), paths);
    for (int i = paths.isEmpty() ? 0 : random.nextInt(4); i > 0; i--) {
      String path = paths.get(random.nextInt(paths.size()));
      try {
        switch (random.nextInt(4)) {
          case 0 -> builder.exclude(path);
          case 1 -> builder.include(path);
          case 2 -> builder.hash(path, MappedObjects.SECRET);
          default -> builder.mask(path, MappedObjects.SECRET);
        }
      } catch (IllegalArgumentException e) {
        // It has a rule already.
      }
    }
    return builder.build();
  }

  private static void addPaths(Schema schema, String path, Set<String> open, List<String> paths) {
    switch (schema.getType()) {
      case ARRAY -> addPaths(schema.getElementType(), path, open, paths);
      case MAP -> addPaths(schema.getValueType(), path, open, paths);
      case UNION -> schema.getTypes().forEach(branch -> addPaths(branch, path, open, paths));
      case RECORD -> {
        if (open.add(schema.getFullName())) {
          for (Schema.Field field : schema.getFields()) {
            String inner = path.isEmpty() ? field.name() : path + '.' + field.name();
            paths.add(inner);
            addPaths(field.schema(), inner, open, paths);
          }
          open.remove(schema.getFullName());
        }
      }
      default -> {}
    }
  }

  private static List<String> fieldNames(Schema record) {
    return record.getFields().stream().map(Schema.Field::name).toList();
  }
}
