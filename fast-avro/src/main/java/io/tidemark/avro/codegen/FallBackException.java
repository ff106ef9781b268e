package io.tidemark.avro.codegen;

/**
 * Thrown if a generated class leaves a datum to the interpreter. The datum may be malformed, or may
 * contain something rare for which no code is generated. It has no details, so there is one
 * instance.
 */
final class FallBackException extends RuntimeException {
  @SuppressWarnings("StaticAssignmentOfThrowable") // It has no stack trace.
  static final FallBackException INSTANCE = new FallBackException();

  private static final long serialVersionUID = 1L;

  private FallBackException() {
    super("the datum is left to the interpreter", null, false, false);
  }
}
