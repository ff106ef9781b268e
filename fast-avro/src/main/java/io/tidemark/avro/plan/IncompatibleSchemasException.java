package io.tidemark.avro.plan;

import org.apache.avro.Schema;

/**
 * Thrown by {@link Planner#plan} if the writer schema cannot be resolved to the reader schema,
 * before any datum is read.
 */
public final class IncompatibleSchemasException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String fieldPath;
  private final String writerFieldPath;

  IncompatibleSchemasException(Schema writer, Schema table, SchemaPlace place, String cause) {
    super(
        "writer schema %s cannot be read as reader schema %s: %s%s"
            .formatted(writer.getFullName(), table.getFullName(), place.inWords(), cause));
    fieldPath = place.tablePath();
    writerFieldPath = place.writerPath();
  }

  /** Returns the path of the field that does not fit, in the reader schema; empty at the root. */
  public String fieldPath() {
    return fieldPath;
  }

  /**
   * Returns the path of the same field in the writer schema. If the writer lacks the field, this is
   * the path of its record.
   */
  public String writerFieldPath() {
    return writerFieldPath;
  }
}
