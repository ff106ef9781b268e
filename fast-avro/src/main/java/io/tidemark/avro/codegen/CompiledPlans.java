package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.Planner;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
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

  private static final int WAITING_PLANS = 1024;

  private static final String SAMPLE =
      """
      {"type": "record", "name": "Sample", "fields": [
        {"name": "name", "type": ["null", "string"]},
        {"name": "size", "type": "int"},
        {"name": "sizes", "type": {"type": "array", "items": "int"}}]}""";

  private final CompilerOptions options;
  private final PlanCompiler compiler;
  private final Executor executor;
  private final Map<PlanFingerprint, CompiledPlan> plans;
  private final LongAdder compiled = new LongAdder();
  private final LongAdder interpreted = new LongAdder();
  private final LongAdder waiting = new LongAdder();
  private final LongAdder compileNanos = new LongAdder();
  private volatile Optional<String> lastFallBack = Optional.empty();

  private static final class Shared {
    static final CompiledPlans INSTANCE =
        new CompiledPlans(oneDaemon(), SHARED_CLASSES, CompilerOptions.ofSystemProperties());
  }

  /**
   * Makes an empty cache.
   *
   * @param executor makes the classes; what it rejects is left to the interpreter
   * @param maxClasses how many classes are kept, from 1
   */
  public CompiledPlans(Executor executor, int maxClasses, CompilerOptions options) {
    if (maxClasses < 1) {
      throw new IllegalArgumentException("maxClasses must be at least 1, not " + maxClasses);
    }
    this.executor = executor;
    this.options = options;
    compiler = new PlanCompiler(options);
    plans =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<PlanFingerprint, CompiledPlan> eldest) {
            return size() > maxClasses;
          }
        };
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
   * cache of its own, and counts in no statistics.
   */
  public void warmUp() {
    executor.execute(() -> new CompiledPlans(Runnable::run, 1, options).runner(samplePlan()));
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
    CompiledPlan compiled = find(plan);
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
    CompiledPlan entry;
    synchronized (plans) {
      entry = plans.computeIfAbsent(PlanFingerprint.of(plan), fingerprint -> new CompiledPlan());
    }
    compileOnce(plan, entry);
    UncompilablePlanException refusal = entry.refusal();
    if (refusal != null) {
      throw new UncompilablePlanException(String.valueOf(refusal.getMessage()), refusal);
    }
  }

  /** What became of all plans so far. */
  public CompilerStatistics statistics() {
    return new CompilerStatistics(
        compiled.sum(), interpreted.sum(), waiting.sum(), compileNanos.sum(), lastFallBack);
  }

  /** The class of a plan, which may be on its way. */
  CompiledPlan find(Plan plan) {
    PlanFingerprint fingerprint = PlanFingerprint.of(plan);
    var fresh = new CompiledPlan();
    synchronized (plans) {
      CompiledPlan known = plans.putIfAbsent(fingerprint, fresh);
      if (known != null) {
        return known;
      }
    }
    waiting.increment();
    try {
      executor.execute(() -> compile(plan, fresh));
    } catch (RejectedExecutionException e) {
      // The next runner of the plan asks again.
      waiting.decrement();
      synchronized (plans) {
        plans.remove(fingerprint, fresh);
      }
      fallBack(plan, e);
    }
    return fresh;
  }

  private void compile(Plan plan, CompiledPlan entry) {
    try {
      compileOnce(plan, entry);
    } finally {
      waiting.decrement();
    }
  }

  /** Makes the class unless it is there, or was tried before. */
  private void compileOnce(Plan plan, CompiledPlan entry) {
    synchronized (entry) {
      if (entry.kernel() != null || entry.refusal() != null) {
        return;
      }
      long start = System.nanoTime();
      try {
        entry.compiled(compiler.compile(plan));
        compiled.increment();
      } catch (RuntimeException | LinkageError | StackOverflowError e) {
        fallBack(plan, e);
        entry.refused(new UncompilablePlanException(String.valueOf(e.getMessage()), e));
      } finally {
        compileNanos.add(System.nanoTime() - start);
      }
    }
  }

  private void fallBack(Plan plan, Throwable cause) {
    interpreted.increment();
    lastFallBack =
        Optional.of(
            "%s as %s: %s".formatted(name(plan.writerSchema()), name(plan.tableSchema()), cause));
  }

  /** A schema's full name, if it has one; else that of its type. */
  private static String name(Schema schema) {
    return switch (schema.getType()) {
      case RECORD, ENUM, FIXED -> schema.getFullName();
      default -> schema.getType().getName();
    };
  }

  private static Executor oneDaemon() {
    var executor =
        new ThreadPoolExecutor(
            1,
            1,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(WAITING_PLANS),
            task -> {
              var thread = new Thread(task, "avro-plan-compiler");
              thread.setDaemon(true);
              thread.setContextClassLoader(CompiledPlans.class.getClassLoader());
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }
}
