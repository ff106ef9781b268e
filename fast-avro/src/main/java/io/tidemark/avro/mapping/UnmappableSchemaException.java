package io.tidemark.avro.mapping;

/** Thrown if a rule cannot be applied to a writer schema, before any datum is read. */
public final class UnmappableSchemaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnmappableSchemaException(String message) {
    super(message);
  }
}
