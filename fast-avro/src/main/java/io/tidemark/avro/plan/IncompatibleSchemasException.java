package io.tidemark.avro.plan;

import org.apache.avro.Schema;

/**
 * A writer schema whose data cannot become data of the table schema; found when planned, before any
 * datum is touched.
 */
public final class IncompatibleSchemasException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String fieldPath;
  private final String writerFieldPath;

  IncompatibleSchemasException(Schema writer, Schema table, SchemaPlace place, String cause) {
    super(
        "writer schema %s cannot be read as table schema %s: %s%s"
            .formatted(writer.getFullName(), table.getFullName(), place.inWords(), cause));
    fieldPath = place.tablePath();
    writerFieldPath = place.writerPath();
  }

  /** The dotted path, in the table's schema, of the field that does not fit; empty at the root. */
  public String fieldPath() {
    return fieldPath;
  }

  /**
   * The dotted path of the same field in the writer's schema, or of its record where the writer
   * lacks the field.
   */
  public String writerFieldPath() {
    return writerFieldPath;
  }
}
