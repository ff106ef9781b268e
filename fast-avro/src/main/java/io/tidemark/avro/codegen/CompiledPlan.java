package io.tidemark.avro.codegen;

import org.jspecify.annotations.Nullable;

/**
 * The class of a plan, once it is made. Safe for use by many threads; those that run the plan look
 * at it anew for each batch. Who makes the class owns this object's monitor, so that it is made
 * once.
 */
final class CompiledPlan {
  private volatile @Nullable Kernel kernel;
  private @Nullable UncompilablePlanException refusal;

  /** The class; null while there is none. */
  @Nullable Kernel kernel() {
    return kernel;
  }

  void compiled(Kernel made) {
    kernel = made;
  }

  /** Why there can be no class; null while none was tried or there is one. */
  synchronized @Nullable UncompilablePlanException refusal() {
    return refusal;
  }

  synchronized void refused(UncompilablePlanException cause) {
    refusal = cause;
  }
}
