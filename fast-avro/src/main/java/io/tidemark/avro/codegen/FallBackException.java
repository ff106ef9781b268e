package io.tidemark.avro.codegen;

/**
 * Says that a generated class leaves a datum to the interpreter: the datum may be malformed, or
 * hold something rare that no code is generated for. It says no more, so that there is one for all.
 */
final class FallBackException extends RuntimeException {
  @SuppressWarnings("StaticAssignmentOfThrowable") // it has no stack trace
  static final FallBackException INSTANCE = new FallBackException();

  private static final long serialVersionUID = 1L;

  private FallBackException() {
    super("the datum is left to the interpreter", null, false, false);
  }
}
