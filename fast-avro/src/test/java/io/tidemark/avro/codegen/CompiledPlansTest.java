package io.tidemark.avro.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.Planner;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatums;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CompiledPlansTest {
  private static final Schema LONG = Schema.create(Schema.Type.LONG);

  @Test
  void batchDoesNotWaitForTheClass() throws Exception {
    Queue<Runnable> submitted = new ArrayDeque<>();
    var plans = plans(submitted::add, 4);

    BatchRunner runner = plans.runner(plan(LONG));
    assertThat(run(runner, 14)).isEqualTo(1);
    assertThat(plans.statistics().waiting()).isEqualTo(1);

    submitted.remove().run();
    assertThat(run(runner, 14)).isEqualTo(1);
    assertThat(plans.statistics().waiting()).isZero();
    assertThat(plans.statistics().compiled()).isEqualTo(1);
    assertThat(plans.statistics().compileNanos()).isPositive();
  }

  @Test
  void planIsCompiledOnceForAllItsRunners() {
    Queue<Runnable> submitted = new ArrayDeque<>();
    var plans = plans(submitted::add, 4);

    for (int i = 0; i < 3; i++) {
      plans.runner(plan(new Schema.Parser().parse(LONG.toString())));
    }

    assertThat(submitted).hasSize(1);
  }

  @Test
  void leastRecentlyUsedClassMakesRoom() {
    Queue<Runnable> submitted = new ArrayDeque<>();
    var plans = plans(submitted::add, 2);
    Plan kept = plan(LONG);

    plans.runner(kept);
    plans.runner(plan(Schema.create(Schema.Type.INT)));
    plans.runner(kept);
    plans.runner(plan(Schema.create(Schema.Type.BYTES)));
    plans.runner(kept);

    assertThat(submitted).hasSize(3);
  }

  @Test
  void classIsUnloadedWhenNothingUsesItAnyMore() {
    var plans = plans(Runnable::run, 1);
    WeakReference<?> generated = kernelClass(plans, plan(LONG));

    plans.runner(plan(Schema.create(Schema.Type.INT)));

    while (generated.get() != null) {
      System.gc();
    }
  }

  @Test
  void classThatRewritesIsUnloadedToo() {
    var plans = plans(Runnable::run, 1);
    WeakReference<?> generated =
        kernelClass(plans, Planner.plan(LONG, Schema.create(Schema.Type.DOUBLE), List.of()));

    plans.runner(plan(LONG));

    while (generated.get() != null) {
      System.gc();
    }
  }

  /** The class of a plan. Only the cache refers to it. */
  private static WeakReference<?> kernelClass(CompiledPlans plans, Plan plan) {
    plans.compileNow(plan);
    Kernel kernel = Objects.requireNonNull(plans.find(plan).made());
    assertThat(kernel.getClass().isHidden()).isTrue();
    return new WeakReference<>(kernel.getClass());
  }

  @Test
  void plansThatDifferInAnythingHaveOtherFingerprints() {
    Schema base = record(1);
    List<Plan> plans =
        List.of(
            Planner.plan(base, base, List.of()),
            Planner.plan(base, base, List.of("a")),
            Planner.plan(base, record(2), List.of()),
            Planner.plan(record(2), base, List.of()),
            Planner.plan(withProperty(base), base, List.of()),
            Planner.plan(base, withProperty(base), List.of()));

    assertThat(plans.stream().map(PlanFingerprint::of)).doesNotHaveDuplicates();
  }

  private static Schema record(long defaultValue) {
    return SchemaBuilder.record("R")
        .fields()
        .name("a")
        .type()
        .longType()
        .longDefault(defaultValue)
        .endRecord();
  }

  private static Schema withProperty(Schema schema) {
    Schema copy = new Schema.Parser().parse(schema.toString());
    copy.addProp("source", "feed");
    return copy;
  }

  @Test
  void planWithoutRoomInAClassIsInterpretedAndSaysSo() throws Exception {
    Schema wide =
        Schema.createUnion(
            IntStream.range(0, 8000)
                .mapToObj(i -> Schema.createFixed("F" + i, null, "test", 1 + i % 7))
                .toList());
    var plans = plans(Runnable::run, 4);

    BatchRunner runner = plans.runner(plan(wide));

    assertThat(plans.statistics().interpreted()).isEqualTo(1);
    assertThat(plans.statistics().lastFallBack().orElseThrow())
        .startsWith("union as union: ")
        .contains("too large");
    assertThat(run(runner, 2, 5, 5)).isEqualTo(3);
  }

  @Test
  void classIsMadeAtOnceWhereItIsAskedFor() throws Exception {
    Queue<Runnable> submitted = new ArrayDeque<>();
    var plans = plans(submitted::add, 4);

    plans.compileNow(plan(LONG));

    assertThat(plans.statistics().compiled()).isEqualTo(1);
    assertThat(plans.find(plan(LONG)).made()).isNotNull();
    assertThat(run(plans.runner(plan(LONG)), 14)).isEqualTo(1);
    assertThat(submitted).isEmpty();
  }

  @Test
  void planIsCompiledOnceWhoeverComesFirst() {
    Queue<Runnable> submitted = new ArrayDeque<>();
    var plans = plans(submitted::add, 4);

    plans.runner(plan(LONG));
    plans.compileNow(plan(LONG));
    submitted.remove().run();

    assertThat(plans.statistics().compiled()).isEqualTo(1);
    assertThat(plans.statistics().waiting()).isZero();
  }

  @Test
  void planThatCannotBeCompiledNowSaysWhyAndCountsOnce() {
    Schema wide =
        Schema.createUnion(
            IntStream.range(0, 8000)
                .mapToObj(i -> Schema.createFixed("F" + i, null, "test", 1 + i % 7))
                .toList());
    var plans = plans(Runnable::run, 4);

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> plans.compileNow(plan(wide)))
          .isInstanceOf(UncompilablePlanException.class)
          .hasMessageContaining("too large");
    }
    assertThat(plans.statistics().interpreted()).isEqualTo(1);
  }

  /** 1,048,576 times 4096 is the number of values of an int. */
  @Test
  void itemsThatWouldLeadAroundAllIntsAreMalformed() {
    Schema schema = Schema.createArray(Schema.createFixed("Page", null, null, 4096));
    var source = new SourceDatums();
    for (int i = 0; i < Kernel.LANES - 1; i++) {
      source.add(new byte[] {(byte) 0x80, (byte) 0x80, (byte) 0x80, 1, 0}, 0, 5);
    }
    // 512 items, so that the array is longer than those of the other datums.
    var pages = new byte[2 + 512 * 4096 + 1];
    pages[0] = (byte) 0x80;
    pages[1] = 8;
    source.add(pages, 0, pages.length);

    BatchRunner runner = plans(Runnable::run, 1).runner(plan(schema));

    assertThatThrownBy(() -> runner.run(source, 0, source.size(), new TableDatums(0)))
        .isInstanceOf(MalformedDatumException.class);
  }

  @Test
  void planThatTheExecutorRejectsIsInterpretedAndAskedForAgain() throws Exception {
    Queue<Runnable> submitted = new ArrayDeque<>();
    var full = new boolean[] {true};
    var plans =
        plans(
            task -> {
              if (full[0]) {
                throw new RejectedExecutionException("full");
              }
              submitted.add(task);
            },
            4);

    assertThat(run(plans.runner(plan(LONG)), 14)).isEqualTo(1);
    assertThat(plans.statistics().interpreted()).isEqualTo(1);
    assertThat(plans.statistics().waiting()).isZero();

    full[0] = false;
    plans.runner(plan(LONG));
    assertThat(submitted).hasSize(1);
  }

  @Test
  void warmUpIsLeftToTheExecutorAndCountsAsNoPlan() {
    Queue<Runnable> submitted = new ArrayDeque<>();
    var plans = plans(submitted::add, 1);

    plans.warmUp();
    submitted.remove().run();

    assertThat(plans.statistics()).isEqualTo(new CompilerStatistics(0, 0, 0, 0, Optional.empty()));
  }

  @Test
  void sharedPlansAreCompiledInTheBackground() {
    var plans = CompiledPlans.shared();
    Schema schema = withProperty(LONG);

    plans.runner(plan(schema));

    while (plans.statistics().waiting() > 0) {
      Thread.onSpinWait();
    }
    assertThat(plans.statistics().compiled()).isPositive();
  }

  @Test
  void classesAreDumpedWhereTheSwitchSays(@TempDir Path directory) throws Exception {
    var options = new CompilerOptions(true, Optional.of(directory.resolve("classes")));
    Plan plan = plan(LONG);

    new CompiledPlans(Runnable::run, 4, options).runner(plan);

    Path file = directory.resolve("classes").resolve(PlanFingerprint.of(plan).sha256() + ".class");
    assertThat(Files.readAllBytes(file)).startsWith(0xCA, 0xFE, 0xBA, 0xBE);
  }

  private static CompiledPlans plans(Executor executor, int maxClasses) {
    return new CompiledPlans(executor, maxClasses, CompilerOptions.NONE);
  }

  private static Plan plan(Schema schema) {
    return Planner.plan(schema, schema, List.of());
  }

  /** Runs six equal datums, and returns the size of one result. */
  private static int run(BatchRunner runner, int... datum) throws Exception {
    var source = new SourceDatums();
    var bytes = new byte[datum.length];
    for (int i = 0; i < datum.length; i++) {
      bytes[i] = (byte) datum[i];
    }
    for (int i = 0; i < 6; i++) {
      source.add(bytes, 0, bytes.length);
    }
    var target = new TableDatums(0);
    runner.run(source, 0, 6, target);
    assertThat(target.runSize()).isEqualTo(6);
    return target.size() / 6;
  }
}
