package io.tidemark.avro.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.DamagedDatum;
import io.tidemark.avro.RandomAvro;
import io.tidemark.avro.binary.MalformedDatumException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.apache.avro.Schema;

/**
 * Compares the check of fast-avro with Avro's library, over random schemas and data. Each case
 * follows from its seed.
 */
final class DatumCheckPropertyTest {
  private static final int MUTATIONS = 20;

  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void whatAvroEncodesIsAcceptedWithItsFields(@ForAll long seed) throws Exception {
    var avro = new RandomAvro(seed);
    Schema schema = avro.schema();
    List<String> paths = paths(schema, avro.random());
    var interpreter = new PlanInterpreter(Planner.plan(schema, schema, paths));
    var result = new TableDatum();

    for (int i = 0; i < 5; i++) {
      byte[] datum = AvroLibrary.encode(schema, avro.datum(schema), avro.random().nextBoolean());
      interpreter.run(datum, 0, datum.length, result);

      assertThat(Arrays.copyOfRange(result.bytes(), result.offset(), result.length()))
          .isEqualTo(datum);
      Object decoded = AvroLibrary.decode(schema, datum);
      for (int field = 0; field < paths.size(); field++) {
        assertThat(
                TableReading.decodedField(
                    result, field, Planner.fieldSchema(schema, paths.get(field))))
            .as(paths.get(field))
            .isEqualTo(TableReading.valueAt(decoded, paths.get(field)));
      }
    }
  }

  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void damagedDatumIsMalformedOrReadByAvroToItsEnd(@ForAll long seed) throws Exception {
    var avro = new RandomAvro(seed);
    Schema schema = avro.schema();
    var interpreter = new PlanInterpreter(Planner.plan(schema, schema, List.of()));
    byte[] datum = AvroLibrary.encode(schema, avro.datum(schema), avro.random().nextBoolean());

    for (int i = 0; i < MUTATIONS; i++) {
      byte[] damaged = DamagedDatum.of(datum, avro.random());
      Optional<String> refusal = refusal(interpreter, damaged, 0, damaged.length);
      Optional<Exception> avros = refusalByAvro(schema, damaged);
      if (refusal.isEmpty()) {
        assertThat(avros).as("Avro's refusal of what we accept").isEmpty();
      } else if (avros.isEmpty()) {
        assertThat(TableReading.isStricter(refusal.get())).as(refusal.get()).isTrue();
      }
    }
  }

  @Property(tries = 500, shrinking = ShrinkingMode.OFF)
  void verdictDependsOnNothingAroundTheDatum(@ForAll long seed) {
    var avro = new RandomAvro(seed);
    Schema schema = avro.schema();
    var interpreter = new PlanInterpreter(Planner.plan(schema, schema, List.of()));
    byte[] datum = AvroLibrary.encode(schema, avro.datum(schema), false);

    for (int i = 0; i < MUTATIONS; i++) {
      byte[] damaged = i == 0 ? datum : DamagedDatum.of(datum, avro.random());
      Optional<String> alone = refusal(interpreter, damaged, 0, damaged.length);
      for (int fill : new int[] {0x00, 0x01, 0x02, 0x80, 0xff}) {
        var surrounded = new byte[damaged.length + 40];
        Arrays.fill(surrounded, (byte) fill);
        System.arraycopy(damaged, 0, surrounded, 20, damaged.length);
        assertThat(refusal(interpreter, surrounded, 20, damaged.length)).isEqualTo(alone);
      }
    }
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void anyBytesAtAllAreReadOrMalformed(@ForAll long seed) throws Exception {
    var avro = new RandomAvro(seed);
    Schema schema = avro.schema();
    var interpreter =
        new PlanInterpreter(Planner.plan(schema, schema, paths(schema, avro.random())));

    for (int i = 0; i < 100; i++) {
      var bytes = new byte[avro.random().nextInt(30)];
      avro.random().nextBytes(bytes);
      if (refusal(interpreter, bytes, 0, bytes.length).isEmpty()) {
        AvroLibrary.decode(schema, bytes);
      }
    }
  }

  private static Optional<String> refusal(PlanRunner runner, byte[] bytes, int offset, int length) {
    try {
      runner.run(bytes, offset, length, new TableDatum());
      return Optional.empty();
    } catch (MalformedDatumException e) {
      assertThat(e.byteOffset()).isBetween(0L, (long) length);
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static Optional<Exception> refusalByAvro(Schema schema, byte[] bytes) {
    try {
      AvroLibrary.decode(schema, bytes);
      return Optional.empty();
    } catch (IOException | RuntimeException e) {
      return Optional.of(e);
    }
  }

  /** Up to six paths of the schema, some of them twice, some of them below others. */
  private static List<String> paths(Schema schema, Random random) {
    var all = new ArrayList<String>();
    addPaths(schema, "", all, 0);
    var chosen = new ArrayList<String>();
    for (int i = random.nextInt(7); i > 0 && !all.isEmpty(); i--) {
      chosen.add(all.get(random.nextInt(all.size())));
    }
    return chosen;
  }

  private static void addPaths(Schema schema, String prefix, List<String> paths, int depth) {
    if (schema.getType() == Schema.Type.RECORD && depth < 5) {
      for (Schema.Field field : schema.getFields()) {
        paths.add(prefix + field.name());
        Schema below = Planner.fieldSchema(schema, field.name());
        addPaths(below, prefix + field.name() + '.', paths, depth + 1);
      }
    }
  }
}
