package io.tidemark.connect.table.schema;

import io.tidemark.connect.text.PrintableText;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;

/** Schemas of datums in front of which stand the bytes of further fields. */
final class FieldsInFront {
  private FieldsInFront() {}

  /**
   * The schema of a writer's datums with fields in front.
   *
   * @param cure what to do about a field of the writer that has the name of one of these
   * @throws SchemaConflictException the writer has a field of such a name
   */
  static Schema of(List<Schema.Field> front, Schema writer, String cure)
      throws SchemaConflictException {
    return of(front, writer, writer, cure);
  }

  /** As the other; {@code named} has the name of the record. */
  static Schema of(List<Schema.Field> front, Schema writer, Schema named, String cure)
      throws SchemaConflictException {
    List<Schema.Field> fields = new ArrayList<>(front);
    for (Schema.Field field : writer.getFields()) {
      for (Schema.Field column : front) {
        if (field.name().equalsIgnoreCase(column.name())) {
          throw new SchemaConflictException(
              "The record's field %s has the name of a column that tells of the record (%s). %s"
                  .formatted(PrintableText.of(field.name()), column.doc(), cure));
        }
      }
      fields.add(new Schema.Field(field, field.schema()));
    }
    Schema extended =
        Schema.createRecord(
            named.getName(), writer.getDoc(), named.getNamespace(), writer.isError(), fields);
    writer.getObjectProps().forEach(extended::addProp);
    writer.getAliases().forEach(extended::addAlias);
    return extended;
  }
}
