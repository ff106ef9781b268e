package io.tidemark.connect.table.schema;

import org.apache.avro.Schema;

/**
 * The schema that a table's files are written with, and its place in the table's history.
 *
 * @param version from 1; a later version reads the files of every earlier one
 */
public record TableSchema(int version, Schema schema) {

  public TableSchema {
    if (version < 1) {
      throw new IllegalArgumentException("versions of a table's schema begin at 1, not " + version);
    }
    if (schema.getType() != Schema.Type.RECORD) {
      throw new IllegalArgumentException("a table's schema is a record, not " + schema);
    }
  }
}
