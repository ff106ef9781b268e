package io.tidemark.avro.plan;

import org.apache.avro.Schema;

/**
 * A writer schema whose data cannot become data of the table schema; found when planned, before any
 * datum is touched.
 */
public final class IncompatibleSchemasException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String fieldPath;

  IncompatibleSchemasException(Schema writer, Schema table, String fieldPath, String cause) {
    super(
        "writer schema %s cannot be read as table schema %s: %s%s"
            .formatted(
                writer.getFullName(),
                table.getFullName(),
                fieldPath.isEmpty() ? "" : "field \"" + fieldPath + "\": ",
                cause));
    this.fieldPath = fieldPath;
  }

  /** The dotted path of the field that does not fit, empty at the root. */
  public String fieldPath() {
    return fieldPath;
  }
}
