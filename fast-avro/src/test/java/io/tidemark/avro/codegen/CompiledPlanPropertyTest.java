package io.tidemark.avro.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.DamagedDatum;
import io.tidemark.avro.EvolvedSchema;
import io.tidemark.avro.RandomAvro;
import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.IncompatibleSchemasException;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.PlanInterpreter;
import io.tidemark.avro.plan.Planner;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatums;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.apache.avro.Schema;

/**
 * Compares generated classes with the interpreter, over random schemas and data, valid and damaged.
 */
final class CompiledPlanPropertyTest {

  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void classDoesWhatTheInterpreterDoes(@ForAll long seed) {
    var avro = new RandomAvro(seed);
    Schema schema = avro.schema();
    Plan plan = Planner.plan(schema, schema, paths(schema, avro.random()));
    SourceDatums source = datums(schema, avro);

    assertThat(outcomes(GeneratedRunner.of(plan), source, plan))
        .isEqualTo(outcomes(new PlanInterpreter(plan), source, plan));
  }

  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void classRewritesAsTheInterpreterDoes(@ForAll long seed) {
    var avro = new RandomAvro(seed);
    Schema writer = avro.recordSchema();
    Schema table = EvolvedSchema.daring(writer, avro.random());
    Plan plan;
    try {
      plan = Planner.plan(writer, table, paths(table, avro.random()));
    } catch (IncompatibleSchemasException e) {
      return;
    }
    SourceDatums source = datums(writer, avro);

    assertThat(outcomes(GeneratedRunner.of(plan), source, plan))
        .isEqualTo(outcomes(new PlanInterpreter(plan), source, plan));
  }

  /**
   * Compares three ways to copy or rewrite: a class from disk, a class generated in the process,
   * and the interpreter.
   */
  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void classFromDiskDoesWhatTheOthersDo(@ForAll long seed) throws IOException {
    var avro = new RandomAvro(seed);
    Schema writer = avro.recordSchema();
    boolean copies = avro.random().nextInt(4) == 0;
    Schema table = copies ? writer : EvolvedSchema.daring(writer, avro.random());
    Plan plan;
    try {
      plan = Planner.plan(writer, table, paths(table, avro.random()));
    } catch (IncompatibleSchemasException e) {
      return;
    }
    SourceDatums source = datums(writer, avro);
    Path directory = Files.createDirectories(Path.of("target", "classes-of-plans"));

    List<String> fromDisk = outcomes(GeneratedRunner.fromDisk(plan, directory), source, plan);

    assertThat(fromDisk)
        .isEqualTo(outcomes(GeneratedRunner.of(plan), source, plan))
        .isEqualTo(outcomes(new PlanInterpreter(plan), source, plan));
  }

  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void classRewritesAllThatAvroEncodesButItemsWithoutBytes(@ForAll long seed) {
    var avro = new RandomAvro(seed);
    Schema writer = avro.recordSchema();
    Schema table = EvolvedSchema.of(writer, avro.random());
    Plan plan = Planner.plan(writer, table, List.of());
    if (plan.copies()) {
      return;
    }
    Kernel kernel = new PlanCompiler(CompilerOptions.NONE).compile(plan);
    var runner = new RewritingRunner(plan, new ClassCache.Entry<>());
    var source = new SourceDatums();
    byte[] datum = AvroLibrary.encode(writer, avro.datum(writer), avro.random().nextBoolean());
    for (int i = 0; i < Kernel.LANES; i++) {
      source.add(datum, 0, datum.length);
    }

    int rewritten = runner.runSome(kernel, source, 0, Kernel.LANES, new TableDatums(0));

    assertThat(rewritten == Kernel.LANES || plan.toString().contains("array")).isTrue();
  }

  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void classFallsBackOnNothingThatAvroEncodesButItemsWithoutBytes(@ForAll long seed) {
    var avro = new RandomAvro(seed);
    Schema schema = avro.schema();
    Plan plan = Planner.plan(schema, schema, List.of());
    Kernel kernel = new PlanCompiler(CompilerOptions.NONE).compile(plan);

    for (int i = 0; i < 5; i++) {
      byte[] datum = AvroLibrary.encode(schema, avro.datum(schema), avro.random().nextBoolean());
      byte[] withSlack = Arrays.copyOf(datum, datum.length + TableDatums.SLACK_BYTES);
      try {
        assertThat(kernel.walk(withSlack, 0, new int[0], 0, 0)).isEqualTo(datum.length);
      } catch (FallBackException e) {
        assertThat(hasItemsWithoutBytes(schema, new HashSet<>())).isTrue();
      }
    }
  }

  private static boolean hasItemsWithoutBytes(Schema schema, Set<Schema> seen) {
    return switch (schema.getType()) {
      case ARRAY ->
          takesNothing(schema.getElementType())
              || hasItemsWithoutBytes(schema.getElementType(), seen);
      case MAP -> hasItemsWithoutBytes(schema.getValueType(), seen);
      case UNION ->
          schema.getTypes().stream().anyMatch(branch -> hasItemsWithoutBytes(branch, seen));
      case RECORD ->
          seen.add(schema)
              && schema.getFields().stream()
                  .anyMatch(field -> hasItemsWithoutBytes(field.schema(), seen));
      default -> false;
    };
  }

  private static boolean takesNothing(Schema schema) {
    return switch (schema.getType()) {
      case NULL -> true;
      case FIXED -> schema.getFixedSize() == 0;
      case RECORD -> schema.getFields().stream().allMatch(field -> takesNothing(field.schema()));
      default -> false;
    };
  }

  /** The outcome of each datum: its bytes and fields, or its error. */
  private static List<String> outcomes(BatchRunner runner, SourceDatums source, Plan plan) {
    var outcomes = new ArrayList<String>();
    var target = new TableDatums(16);
    int next = 0;
    while (next < source.size()) {
      Optional<String> fault = Optional.empty();
      try {
        runner.run(source, next, source.size(), target);
      } catch (MalformedDatumException e) {
        fault = Optional.of(String.valueOf(e.getMessage()));
      }
      for (int i = 0; i < target.runSize(); i++) {
        outcomes.add(outcome(target, i, plan.fieldPaths().size()));
      }
      next += target.runSize() + 1;
      fault.ifPresent(outcomes::add);
    }
    return outcomes;
  }

  private static String outcome(TableDatums target, int datum, int fields) {
    int begin = target.offset(datum);
    var outcome =
        new StringBuilder(
            Arrays.toString(Arrays.copyOfRange(target.bytes(), begin, target.end(datum))));
    for (int field = 0; field < fields; field++) {
      outcome.append(
          target.hasField(datum, field)
              ? " %d+%d"
                  .formatted(
                      target.fieldOffset(datum, field) - begin, target.fieldLength(datum, field))
              : " absent");
    }
    return outcome.toString();
  }

  /** Up to nineteen datums, a third of them damaged, each in the middle of an array. */
  private static SourceDatums datums(Schema schema, RandomAvro avro) {
    Random random = avro.random();
    var datums = new SourceDatums();
    for (int i = random.nextInt(20); i > 0; i--) {
      byte[] datum = AvroLibrary.encode(schema, avro.datum(schema), random.nextBoolean());
      byte[] bytes = random.nextInt(3) == 0 ? DamagedDatum.of(datum, random) : datum;
      var surrounded = new byte[bytes.length + 10];
      random.nextBytes(surrounded);
      System.arraycopy(bytes, 0, surrounded, 5, bytes.length);
      datums.add(surrounded, 5, bytes.length);
    }
    return datums;
  }

  private static List<String> paths(Schema schema, Random random) {
    var paths = new ArrayList<String>();
    if (schema.getType() == Schema.Type.RECORD) {
      for (Schema.Field field : schema.getFields()) {
        if (random.nextBoolean()) {
          Schema below = Planner.fieldSchema(schema, field.name());
          boolean deeper =
              below.getType() == Schema.Type.RECORD
                  && !below.getFields().isEmpty()
                  && random.nextBoolean();
          paths.add(deeper ? field.name() + '.' + below.getFields().get(0).name() : field.name());
        }
      }
    }
    return paths;
  }
}
