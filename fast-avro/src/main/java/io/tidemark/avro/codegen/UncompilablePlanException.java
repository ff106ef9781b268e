package io.tidemark.avro.codegen;

/** Thrown if no class can be generated for a plan. The interpreter runs the plan. */
public final class UncompilablePlanException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UncompilablePlanException(String problem) {
    super(problem);
  }

  UncompilablePlanException(String problem, Throwable cause) {
    super(problem, cause);
  }
}
