package io.tidemark.avro.codegen;

import org.jspecify.annotations.Nullable;

/**
 * The class of a plan, once it is made. Safe for use by many threads; those that run the plan look
 * at it anew for each batch.
 */
final class CompiledPlan {
  private volatile @Nullable Kernel kernel;

  /** The class; null while there is none. */
  @Nullable Kernel kernel() {
    return kernel;
  }

  void compiled(Kernel made) {
    kernel = made;
  }
}
