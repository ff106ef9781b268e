package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.Planner;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.avro.Schema;

/**
 * An LRU cache of the generated classes of plans, which are generated in the background. Safe for
 * use by many threads.
 *
 * <p>A class is found by the SHA-256 of both schemas, of the field paths and of the mapping, so
 * different plans never share a class. If a class is removed from the cache, the runners that have
 * it continue to use it.
 */
public final class CompiledPlans {
  /** The number of classes that {@link #shared()} keeps. */
  private static final int SHARED_CLASSES = 512;

  private static final String SAMPLE =
      """
      {"type": "record", "name": "Sample", "fields": [
        {"name": "name", "type": ["null", "string"]},
        {"name": "size", "type": "int"},
        {"name": "sizes", "type": {"type": "array", "items": "int"}}]}""";

  private final PlanCompiler compiler;
  private final Executor executor;
  private final ClassCache<PlanFingerprint, Kernel> classes;

  private static final class Shared {
    static final CompiledPlans INSTANCE =
        new CompiledPlans(
            ClassCache.oneDaemon("avro-plan-compiler"),
            SHARED_CLASSES,
            CompilerOptions.ofSystemProperties());
  }

  /**
   * Creates an empty cache.
   *
   * @param executor generates the classes. If it rejects the task of a class, the plan is
   *     interpreted until a later runner submits the task again
   * @param maxClasses the maximum number of classes to keep, from 1
   * @param options settings of the compiler
   */
  public CompiledPlans(Executor executor, int maxClasses, CompilerOptions options) {
    this(executor, maxClasses, new PlanCompiler(options));
  }

  private CompiledPlans(Executor executor, int maxClasses, PlanCompiler compiler) {
    this.executor = executor;
    this.compiler = compiler;
    classes = new ClassCache<>(executor, maxClasses);
  }

  /**
   * Returns the cache that is shared in this class loader. One daemon thread generates the classes,
   * and ends when it is idle. System properties set its {@link CompilerOptions}.
   */
  public static CompiledPlans shared() {
    return Shared.INSTANCE;
  }

  /**
   * Compiles a small plan in the background and discards it. This loads the classes of the
   * compiler, which takes longer than to compile a plan, so the first plan is ready sooner.
   *
   * <p>With a class directory, the small plan's class is stored there, too. Later starts load it
   * from its file, and do not load the compiler until a plan needs it. {@link #statistics()} counts
   * the small plan only in {@link CompilerStatistics#disk()}.
   */
  public void warmUp() {
    executor.execute(() -> new CompiledPlans(Runnable::run, 1, compiler).runner(samplePlan()));
  }

  /** Returns a plan that checks, copies and converts. */
  private static Plan samplePlan() {
    return Planner.plan(
        new Schema.Parser().parse(SAMPLE),
        new Schema.Parser().parse(SAMPLE.replace("int", "double")),
        List.of());
  }

  /**
   * Returns a runner of a plan, for one thread. The runner never waits: the interpreter runs the
   * plan until the class is ready. If no class can be generated, the plan is always interpreted.
   */
  public BatchRunner runner(Plan plan) {
    var fingerprint = PlanFingerprint.of(plan);
    ClassCache.Entry<Kernel> compiled = classes.find(fingerprint);
    try {
      classes.makeLater(compiled, name(plan), () -> compiler.compile(plan, fingerprint));
    } catch (RejectedExecutionException e) {
      // The next runner of the plan requests the class again.
      classes.fallBack(name(plan), e);
    }
    return plan.copies() ? new CopyingRunner(plan, compiled) : new RewritingRunner(plan, compiled);
  }

  /**
   * Generates the class of a plan in the caller's thread, unless it exists. Every runner of the
   * plan uses the class, starting with its next batch. For tests, for benchmarks, and for programs
   * where a slower start is better than slower first batches.
   *
   * @throws UncompilablePlanException if the class cannot be generated. The plan is then
   *     interpreted
   */
  public void compileNow(Plan plan) {
    var fingerprint = PlanFingerprint.of(plan);
    ClassCache.Entry<Kernel> entry = classes.find(fingerprint);
    classes.make(entry, name(plan), () -> compiler.compile(plan, fingerprint));
    Throwable refusal = entry.refusal();
    if (refusal != null) {
      throw new UncompilablePlanException(String.valueOf(refusal.getMessage()), refusal);
    }
  }

  /** Returns the counts of all plans so far. */
  public CompilerStatistics statistics() {
    return classes.statistics().with(compiler.diskStatistics());
  }

  /** Returns the entry of a plan. Its class is possibly not generated or requested yet. */
  ClassCache.Entry<Kernel> find(Plan plan) {
    return classes.find(PlanFingerprint.of(plan));
  }

  private static String name(Plan plan) {
    return ClassCache.name(plan.writerSchema()) + " as " + ClassCache.name(plan.tableSchema());
  }
}
