package io.tidemark.avro.codegen;

/** A plan for which no class can be generated: the interpreter runs it. */
public final class UncompilablePlanException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UncompilablePlanException(String problem) {
    super(problem);
  }

  UncompilablePlanException(String problem, Throwable cause) {
    super(problem, cause);
  }
}
