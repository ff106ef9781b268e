package io.tidemark.connect.routing;

import io.tidemark.avro.plan.Planner;
import io.tidemark.connect.table.partition.PartitionField;
import io.tidemark.connect.table.partition.UnusablePartitionException;
import io.tidemark.connect.table.schema.SchemaConflictException;
import io.tidemark.connect.text.PrintableText;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;

/**
 * The bindings between which a field's value decides, for the records of one writer schema.
 * Immutable.
 *
 * @param values the rule
 * @param field reads the values
 * @param byValue the bindings to the tables, by the text of a value
 * @param others the binding for any other value, and where there is none
 */
public record FieldRoute(
    FieldValues values,
    PartitionField field,
    Map<String, WriterBinding> byValue,
    Optional<WriterBinding> others) {
  private static final int SHOWN_CHARS = 64;

  public FieldRoute {
    byValue = new LinkedHashMap<>(byValue);
  }

  /**
   * Reads the values of the field in datums of a table.
   *
   * @throws SchemaConflictException such values cannot lead to tables
   */
  static PartitionField reader(Schema tableSchema, FieldValues values)
      throws SchemaConflictException {
    Schema field;
    try {
      field = Planner.fieldSchema(tableSchema, values.path());
    } catch (IllegalArgumentException e) {
      throw new SchemaConflictException(
          "%s=%s is to lead to tables, but: %s. Correct the key, or have a record that has the field come first: the others then have null there."
              .formatted(values.fieldSetting(), values.path(), PrintableText.messageOf(e)));
    }
    return PartitionField.of(values.path(), field, "lead to tables", values.fieldSetting());
  }

  /** The bindings, each once. */
  public Set<WriterBinding> bindings() {
    Set<WriterBinding> all = new LinkedHashSet<>(byValue.values());
    others.ifPresent(all::add);
    return all;
  }

  /** The binding for a value; empty where no table is named for it. */
  public Optional<WriterBinding> binding(byte[] bytes, int offset, int length) {
    try {
      String text = field.text(bytes, offset, length);
      return Optional.ofNullable(byValue.get(text)).or(() -> others);
    } catch (UnusablePartitionException e) {
      return others; // A text that no setting can name.
    }
  }

  /** Why a record has no table; {@code value} is empty where its field has none. */
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
