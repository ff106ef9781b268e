package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.Planner;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.avro.Schema;

/**
 * The classes of plans, made in the background and kept for as many plans as there is room for, the
 * least recently used going first. Safe for use by many threads.
 *
 * <p>A class is found by the full fingerprints of both schemas: plans that differ never share one.
 * One that was put out of the cache lives on in the runners that use it.
 */
public final class CompiledPlans {
  /** How many classes {@link #shared()} keeps. */
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
   * Makes an empty cache.
   *
   * @param executor makes the classes; what it rejects is left to the interpreter
   * @param maxClasses how many classes are kept, from 1
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
   * The cache of all users in this class loader. One daemon thread makes the classes, and ends when
   * there are none to make; system properties set its {@link CompilerOptions}.
   */
  public static CompiledPlans shared() {
    return Shared.INSTANCE;
  }

  /**
   * Has a small plan compiled and thrown away, so that the first that is run does not wait for the
   * classes of the compiler itself to be loaded, which takes longer than to compile it. It has a
   * cache of its own, and counts in no statistics but those of the disk. With a directory for
   * classes it is loaded from there by the second start, as those that come next may be; the
   * compiler is then not loaded before a plan needs it.
   */
  public void warmUp() {
    executor.execute(() -> new CompiledPlans(Runnable::run, 1, compiler).runner(samplePlan()));
  }

  /** A plan that checks, copies, and rewrites. */
  private static Plan samplePlan() {
    return Planner.plan(
        new Schema.Parser().parse(SAMPLE),
        new Schema.Parser().parse(SAMPLE.replace("int", "double")),
        List.of());
  }

  /**
   * A runner of a plan, for the use of one thread. It never waits: the interpreter runs the plan
   * until the class is there, and for good if there can be none.
   */
  public BatchRunner runner(Plan plan) {
    var fingerprint = PlanFingerprint.of(plan);
    ClassCache.Entry<Kernel> compiled = classes.find(fingerprint);
    try {
      classes.makeLater(compiled, name(plan), () -> compiler.compile(plan, fingerprint));
    } catch (RejectedExecutionException e) {
      // The next runner of the plan asks again.
      classes.fallBack(name(plan), e);
    }
    return plan.copies() ? new CopyingRunner(plan, compiled) : new RewritingRunner(plan, compiled);
  }

  /**
   * Makes the class of a plan in the caller's thread, unless it is there: every runner of the plan
   * uses it from its next batch on. For tests, for benchmarks, and for programs that rather start
   * later than run the first batches slower.
   *
   * @throws UncompilablePlanException if there can be no class; runners interpret the plan then
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

  /** What became of all plans so far. */
  public CompilerStatistics statistics() {
    return classes.statistics().with(compiler.diskStatistics());
  }

  /** The class of a plan, which may be on its way, or not asked for. */
  ClassCache.Entry<Kernel> find(Plan plan) {
    return classes.find(PlanFingerprint.of(plan));
  }

  private static String name(Plan plan) {
    return ClassCache.name(plan.writerSchema()) + " as " + ClassCache.name(plan.tableSchema());
  }
}
