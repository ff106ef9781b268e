package io.tidemark.avro.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.EvolvedSchema;
import io.tidemark.avro.RandomAvro;
import io.tidemark.avro.plan.IncompatibleSchemasException;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.Planner;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.apache.avro.Schema;

/** The files of random plans, whole and damaged. */
final class PlanFilePropertyTest {

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void fileGivesTheClassThatWasPutIn(@ForAll long seed) {
    plan(seed)
        .ifPresent(
            plan -> {
              KernelClass generated = PlanCompiler.kernelClass(plan);
              PlanFile file = file(plan);

              KernelClass kept = file.decode(file.encode(generated)).orElseThrow();

              assertThat(kept)
                  .usingRecursiveComparison()
                  .withStrictTypeChecking()
                  .isEqualTo(generated);
            });
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void fileThatIsCutOffOrLongerIsRefused(@ForAll long seed) {
    plan(seed)
        .ifPresent(
            plan -> {
              PlanFile file = file(plan);
              byte[] bytes = file.encode(PlanCompiler.kernelClass(plan));
              var random = new Random(seed);
              for (int length : new int[] {0, 15, 16, 19, 20, bytes.length - 1, bytes.length + 1}) {
                assertThat(file.decode(Arrays.copyOf(bytes, length))).isEmpty();
              }
              for (int i = 0; i < 100; i++) {
                int length = random.nextInt(bytes.length);
                assertThat(file.decode(Arrays.copyOf(bytes, length))).isEmpty();
              }
            });
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void fileWithFlippedBitsIsRefused(@ForAll long seed) {
    plan(seed)
        .ifPresent(
            plan -> {
              PlanFile file = file(plan);
              byte[] bytes = file.encode(PlanCompiler.kernelClass(plan));
              var random = new Random(seed);
              for (int i = 0; i < 100; i++) {
                byte[] damaged = bytes.clone();
                damaged[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                assertThat(file.decode(damaged)).isEmpty();
              }
            });
  }

  /**
   * The checksum is correct here. The bytes that it protects must nevertheless not cause an
   * exception.
   */
  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void fileThatIsWrongBeforeItsChecksumIsReadWithoutAFault(@ForAll long seed) {
    plan(seed)
        .ifPresent(
            plan -> {
              PlanFile file = file(plan);
              byte[] bytes = file.encode(PlanCompiler.kernelClass(plan));
              var random = new Random(seed);
              for (int i = 0; i < 100; i++) {
                byte[] damaged = Arrays.copyOf(bytes, bytes.length - random.nextInt(20));
                damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
                assertThat(file.decode(PlanFileOnDisk.withChecksum(damaged))).isNotNull();
              }
            });
  }

  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void digestsOfStepsDifferWhereTheirTextsDo(@ForAll long seed) {
    plan(seed)
        .ifPresent(
            one ->
                plan(seed + 1)
                    .ifPresent(
                        other -> {
                          assertThat(StepDigest.of(again(one).steps()))
                              .isEqualTo(StepDigest.of(one.steps()));
                          assertThat(StepDigest.of(one.steps()) == StepDigest.of(other.steps()))
                              .isEqualTo(one.steps().equals(other.steps()));
                        }));
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void samePlanMakesTheSameClass(@ForAll long seed) {
    plan(seed)
        .ifPresent(
            plan ->
                assertThat(PlanCompiler.kernelClass(again(plan)).classFile())
                    .isEqualTo(PlanCompiler.kernelClass(plan).classFile()));
  }

  private static PlanFile file(Plan plan) {
    return PlanFile.of(plan, PlanFingerprint.of(plan));
  }

  private static Plan again(Plan plan) {
    return Planner.plan(
        new Schema.Parser().parse(plan.writerSchema().toString()),
        new Schema.Parser().parse(plan.tableSchema().toString()),
        plan.fieldPaths());
  }

  /** A plan that mostly rewrites, with defaults and captured fields. */
  private static Optional<Plan> plan(long seed) {
    var avro = new RandomAvro(seed);
    Schema writer = avro.recordSchema();
    Schema table = EvolvedSchema.daring(writer, avro.random());
    List<String> paths =
        table.getFields().stream()
            .map(Schema.Field::name)
            .filter(name -> avro.random().nextBoolean())
            .toList();
    try {
      return Optional.of(Planner.plan(writer, table, paths));
    } catch (IncompatibleSchemasException e) {
      return Optional.empty();
    }
  }
}
