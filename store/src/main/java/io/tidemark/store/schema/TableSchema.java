package io.tidemark.store.schema;

import org.apache.avro.Schema;

/** A schema of a table. Each version, from 1, can read the files of all earlier ones. */
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
