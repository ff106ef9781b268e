package io.tidemark.avro.codegen;

/**
 * Says that a generated class is in doubt of a datum: it may be malformed, and the interpreter must
 * look at it. It tells no more, so that there is one for all.
 */
final class DoubtException extends RuntimeException {
  @SuppressWarnings("StaticAssignmentOfThrowable") // it has no stack trace
  static final DoubtException INSTANCE = new DoubtException();

  private static final long serialVersionUID = 1L;

  private DoubtException() {
    super("the datum may be malformed", null, false, false);
  }
}
