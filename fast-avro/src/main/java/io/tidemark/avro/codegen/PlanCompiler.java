package io.tidemark.avro.codegen;

import io.tidemark.avro.codegen.disk.DiskStatistics;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.PlanInterpreter;
import java.lang.invoke.MethodHandles;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a hidden class of a plan, at once and in the caller's thread. Safe for use by many threads.
 *
 * <p>The class goes with the last runner that uses it. {@link CompiledPlans} keeps classes for
 * plans that come again, and makes them in the background. With a directory for classes, a class is
 * loaded from there if it is there; this needs no class of the generator, nor of ASM.
 */
final class PlanCompiler {
  /**
   * Changes with the code that is generated, and with what this code calls. Classes on disk of
   * another version are not used.
   */
  static final String VERSION = "4";

  private final CompilerOptions options;
  private final @Nullable KeptClasses kept;

  PlanCompiler(CompilerOptions options) {
    this.options = options;
    kept = KeptClasses.of(options).orElse(null);
  }

  /** Makes the class of a plan, as {@link #compile(Plan, PlanFingerprint)}. */
  Kernel compile(Plan plan) {
    return compile(plan, PlanFingerprint.of(plan));
  }

  /**
   * Makes the class of a plan, or loads it from disk.
   *
   * @throws UncompilablePlanException if there is no code for one of its steps, or the class would
   *     grow beyond what a class may be
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
      throw new UncompilablePlanException("the JVM refuses the class: " + e, e);
    }
  }

  static KernelClass kernelClass(Plan plan) {
    return KernelWriter.write(plan, PlanInterpreter.DEFAULT_MAX_DEPTH);
  }

  /** What became of the classes on disk. */
  DiskStatistics diskStatistics() {
    return kept == null ? DiskStatistics.NONE : kept.statistics();
  }
}
