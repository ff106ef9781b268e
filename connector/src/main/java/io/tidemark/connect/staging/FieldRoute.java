package io.tidemark.connect.staging;

import io.tidemark.avro.plan.Planner;
import io.tidemark.connect.staging.Routing.FieldValues;
import io.tidemark.store.PrintableText;
import io.tidemark.store.partition.PartitionField;
import io.tidemark.store.partition.UnusablePartitionException;
import io.tidemark.store.schema.SchemaConflictException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;

/** The bindings of one writer schema to tables, of which a field's value selects one. Immutable. */
public record FieldRoute(
    FieldValues values,
    PartitionField field,
    Map<String, Binding> byValue,
    Optional<Binding> others) {
  private static final int SHOWN_CHARS = 64;

  public FieldRoute {
    byValue = new LinkedHashMap<>(byValue);
  }

  /** Returns the reader of the field's values, or throws if they cannot be used for routing. */
  static PartitionField reader(Schema tableSchema, FieldValues values)
      throws SchemaConflictException {
    Schema field;
    try {
      field = Planner.fieldSchema(tableSchema, values.path());
    } catch (IllegalArgumentException e) {
      throw new SchemaConflictException(
          "%s=%s cannot be used to choose tables: %s. Correct the key, or let a record that has the field come first: records without the field then have null there."
              .formatted(values.fieldSetting(), values.path(), PrintableText.messageOf(e)));
    }
    return PartitionField.of(values.path(), field, "name a table", values.fieldSetting());
  }

  public Set<Binding> bindings() {
    Set<Binding> all = new LinkedHashSet<>(byValue.values());
    others.ifPresent(all::add);
    return all;
  }

  /** Returns the binding for a value; empty if the rule names no table for the value. */
  public Optional<Binding> binding(byte[] bytes, int offset, int length) {
    try {
      String text = field.text(bytes, offset, length);
      return Optional.ofNullable(byValue.get(text)).or(() -> others);
    } catch (UnusablePartitionException e) {
      return others; // no setting can contain such a text
    }
  }

  /** Returns why a record has no table; {@code value} is empty if the record's field is null. */
  public String unrouted(Optional<byte[]> value) {
    String shown =
        value
            .map(
                bytes -> {
                  try {
                    return "\""
                        + PrintableText.of(field.text(bytes, 0, bytes.length), SHOWN_CHARS)
                        + "\"";
                  } catch (UnusablePartitionException e) {
                    return "unreadable: " + PrintableText.messageOf(e);
                  }
                })
            .orElse("null");
    return "the field %s is %s, and %s names no table for it. Add it there, or \"*\" for all other values."
        .formatted(values.path(), shown, values.setting());
  }
}
