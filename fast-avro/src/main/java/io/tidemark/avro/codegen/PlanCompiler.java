package io.tidemark.avro.codegen;

import io.tidemark.avro.codegen.disk.DiskStatistics;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.PlanInterpreter;
import java.lang.invoke.MethodHandles;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Generates the hidden class of a plan, in the caller's thread. Safe for use by many threads.
 *
 * <p>The class is unloaded with the last runner that uses it. {@link CompiledPlans} keeps the
 * classes of plans that are used again, and generates them in the background. If a class directory
 * is set and has the class, it is loaded from there. This needs no class of the generator or of
 * ASM.
 */
final class PlanCompiler {
  /**
   * The version of the generated code and of the code that it calls. Classes on disk of another
   * version are not used.
   */
  static final String VERSION = "6";

  private final CompilerOptions options;
  private final @Nullable KeptClasses kept;

  PlanCompiler(CompilerOptions options) {
    this.options = options;
    kept = KeptClasses.of(options).orElse(null);
  }

  /** Generates the class of a plan, as {@link #compile(Plan, PlanFingerprint)}. */
  Kernel compile(Plan plan) {
    return compile(plan, PlanFingerprint.of(plan));
  }

  /**
   * Generates the class of a plan, or loads it from disk.
   *
   * @throws UncompilablePlanException if there is no code for one of its steps, or the class would
   *     be larger than a class may be
   */
  Kernel compile(Plan plan, PlanFingerprint fingerprint) {
    return kept == null
        ? define(kernelClass(plan), fingerprint)
        : loadOrGenerate(kept, plan, fingerprint);
  }

  private Kernel loadOrGenerate(KeptClasses classes, Plan plan, PlanFingerprint fingerprint) {
    String name = fingerprint.sha256().concat(".plan");
    PlanFile file = PlanFile.of(plan, fingerprint);
    Kernel loaded = classes.load(name, file, found -> define(found, fingerprint));
    if (loaded != null) {
      return loaded;
    }
    KernelClass generated = kernelClass(plan);
    Kernel kernel = define(generated, fingerprint);
    classes.store(name, file, generated);
    return kernel;
  }

  private Kernel define(KernelClass made, PlanFingerprint fingerprint) {
    byte[] classFile = made.classFile();
    options.inspect(fingerprint.sha256(), classFile);
    try {
      var lookup = MethodHandles.lookup().defineHiddenClass(classFile, true);
      return (Kernel)
          lookup
              .lookupClass()
              .getDeclaredConstructor(int.class, List.class)
              .newInstance(made.places(), made.constants());
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new UncompilablePlanException("the JVM rejects the class: " + e, e);
    }
  }

  static KernelClass kernelClass(Plan plan) {
    return KernelWriter.write(plan, PlanInterpreter.DEFAULT_MAX_DEPTH);
  }

  /** Returns the counts of the classes on disk. */
  DiskStatistics diskStatistics() {
    return kept == null ? DiskStatistics.NONE : kept.statistics();
  }
}
