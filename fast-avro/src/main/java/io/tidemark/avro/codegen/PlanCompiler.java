package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.PlanInterpreter;
import java.lang.invoke.MethodHandles;
import java.util.List;
import org.objectweb.asm.ClassTooLargeException;
import org.objectweb.asm.MethodTooLargeException;

/**
 * Makes a hidden class of a plan, at once and in the caller's thread. Safe for use by many threads.
 *
 * <p>The class goes with the last runner that uses it. {@link CompiledPlans} keeps classes for
 * plans that come again, and makes them in the background.
 */
final class PlanCompiler {
  /** Changes with the code that is generated. */
  static final String VERSION = "4";

  private final CompilerOptions options;

  PlanCompiler(CompilerOptions options) {
    this.options = options;
  }

  /**
   * Makes the class of a plan.
   *
   * @throws UncompilablePlanException if there is no code for one of its steps, or the class would
   *     grow beyond what a class may be
   */
  Kernel compile(Plan plan) {
    KernelClass generated = kernelClass(plan);
    byte[] classFile = generated.classFile();
    if (options.verify() || options.dumpDirectory().isPresent()) {
      options.inspect(PlanFingerprint.of(plan).sha256(), classFile);
    }
    try {
      var lookup = MethodHandles.lookup().defineHiddenClass(classFile, true);
      return (Kernel)
          lookup
              .lookupClass()
              .getDeclaredConstructor(int.class, List.class)
              .newInstance(generated.places(), generated.constants());
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new UncompilablePlanException("the JVM refuses the class: " + e, e);
    }
  }

  static KernelClass kernelClass(Plan plan) {
    try {
      return KernelWriter.write(plan, PlanInterpreter.DEFAULT_MAX_DEPTH);
    } catch (MethodTooLargeException | ClassTooLargeException e) {
      throw new UncompilablePlanException("the plan is too large for a class: " + e, e);
    }
  }
}
