package io.tidemark.store.schema;

import io.tidemark.avro.plan.FieldDefaults;
import io.tidemark.store.PrintableText;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;

/** Extends schemas of datums by fields in front of the datums' own fields. */
final class FieldsInFront {
  private FieldsInFront() {}

  /** Returns the schema with fields in front, and with the record name of {@code named}. */
  static Schema of(List<Schema.Field> front, Schema writer, Schema named, String cure)
      throws SchemaConflictException {
    List<Schema.Field> fields = new ArrayList<>(front);
    FieldDefaults defaults = new FieldDefaults();
    for (Schema.Field field : writer.getFields()) {
      for (Schema.Field column : front) {
        if (field.name().equalsIgnoreCase(column.name())) {
          throw new SchemaConflictException(
              "The record's field %s has the name of a column that the connector adds (%s). %s"
                  .formatted(PrintableText.of(field.name()), column.doc(), cure));
        }
      }
      fields.add(
          defaults.mayBeRead(field)
              ? new Schema.Field(field, field.schema())
              : new Schema.Field(field.name(), field.schema(), field.doc()));
    }
    Schema extended =
        Schema.createRecord(
            named.getName(), writer.getDoc(), named.getNamespace(), writer.isError(), fields);
    writer.getObjectProps().forEach(extended::addProp);
    writer.getAliases().forEach(extended::addAlias);
    return extended;
  }
}
