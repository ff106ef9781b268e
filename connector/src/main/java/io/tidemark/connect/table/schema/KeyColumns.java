package io.tidemark.connect.table.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.connect.text.PrintableText;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a table that has a row for each record, also for one without a value (a
 * tombstone): those of the key, and whether the record deletes it. Their bytes stand in front of
 * the value's datum, and are the key's own where it is Avro. Immutable.
 *
 * <p>Example, of keys that are records with a field {@code id}: {@code kafka_key_id}, {@code
 * kafka_deleted}.
 */
public final class KeyColumns {
  /**
   * Of tables that began with a record without a value: nobody knew the name of the values. The
   * namespace is one that no producer has.
   */
  private static final Schema ROW =
      Schema.createRecord("Row", null, "io.tidemark", false, List.of());

  private static final Set<Schema.Type> NAMED =
      EnumSet.of(Schema.Type.RECORD, Schema.Type.ENUM, Schema.Type.FIXED);

  private static final String CURE = "Set columns.kafka.prefix to another one.";

  private final Format format;
  private final String prefix;

  /** What the keys of records are. */
  public enum Format {
    /** A datum with a schema id in front, or in a header. */
    AVRO,
    /** A text in UTF-8. */
    STRING
  }

  /** {@code prefix} begins the names of the columns. Example: {@code kafka_} */
  public KeyColumns(Format format, String prefix) {
    this.format = format;
    this.prefix = prefix;
  }

  /** What the keys are. */
  public Format format() {
    return format;
  }

  /** What the names of the key's columns begin with. Example: {@code kafka_key_} */
  public static String keyPrefix(String prefix) {
    return prefix + "key_";
  }

  /** The column that says whether the record has no value. Example: {@code kafka_deleted} */
  public static String deletedColumn(String prefix) {
    return prefix + "deleted";
  }

  /**
   * The schema of a row's bytes.
   *
   * @param key of keys that are Avro; empty where the record has none
   * @param value empty where the record has none
   * @param table the table's schema, of which a row without a value takes the name, and each row
   *     where the table began with one without; empty where there is none yet
   * @throws SchemaConflictException fields of key and value have one name, or types of one name
   *     that are not the same
   */
  public Schema schema(Optional<Schema> key, Optional<Schema> value, Optional<Schema> table)
      throws SchemaConflictException {
    List<Schema.Field> front = new ArrayList<>();
    if (format == Format.STRING) {
      front.add(
          new Schema.Field(
              keyPrefix(prefix) + "value",
              Schema.createUnion(
                  Schema.create(Schema.Type.NULL), Schema.create(Schema.Type.STRING)),
              "the record's key",
              JsonProperties.NULL_VALUE));
    } else if (key.isPresent() && key.get().getType() == Schema.Type.RECORD) {
      for (Schema.Field field : key.get().getFields()) {
        front.add(
            field.hasDefaultValue()
                ? new Schema.Field(
                    keyPrefix(prefix) + field.name(),
                    field.schema(),
                    "of the record's key",
                    field.defaultVal())
                : new Schema.Field(
                    keyPrefix(prefix) + field.name(), field.schema(), "of the record's key"));
      }
    } else if (key.isPresent()) {
      front.add(new Schema.Field(keyPrefix(prefix) + "value", key.get(), "the record's key"));
    }
    front.add(
        new Schema.Field(
            deletedColumn(prefix),
            Schema.create(Schema.Type.BOOLEAN),
            "whether the record has no value, which deletes its key"));
    boolean asTheTable = value.isEmpty() || table.filter(KeyColumns::isRow).isPresent();
    Schema writer = value.orElse(ROW);
    Schema row = FieldsInFront.of(front, writer, asTheTable ? table.orElse(ROW) : writer, CURE);
    requireOneMeaning(row);
    return row;
  }

  /** Whether a table began with a record without a value, so that it takes values of any name. */
  private static boolean isRow(Schema table) {
    return table.getFullName().equals(ROW.getFullName());
  }

  /**
   * A value's schema as a table takes it that had rows of keys once: under the table's name, where
   * the table began with a record without a value.
   */
  public static Schema underNameOf(Schema table, Schema value) throws SchemaConflictException {
    return isRow(table) ? FieldsInFront.of(List.of(), value, table, CURE) : value;
  }

  /** Key and value may each have a type of one name, which must be one type then. */
  private static void requireOneMeaning(Schema row) throws SchemaConflictException {
    Map<String, Schema> named = new HashMap<>();
    Deque<Schema> toLookAt = new ArrayDeque<>(List.of(row));
    while (!toLookAt.isEmpty()) {
      Schema schema = toLookAt.pop();
      if (NAMED.contains(schema.getType())) {
        Schema before = named.putIfAbsent(schema.getFullName(), schema);
        if (before != null && !before.equals(schema)) {
          throw new SchemaConflictException(
              "The schemas of the record's key and value cannot be those of one row: each has a type %s, and they differ. Give their types different names."
                  .formatted(PrintableText.of(schema.getFullName())));
        }
        if (before != null) {
          continue;
        }
      }
      switch (schema.getType()) {
        case RECORD -> schema.getFields().forEach(field -> toLookAt.push(field.schema()));
        case ARRAY -> toLookAt.push(schema.getElementType());
        case MAP -> toLookAt.push(schema.getValueType());
        case UNION -> schema.getTypes().forEach(toLookAt::push);
        default -> {}
      }
    }
  }

  /**
   * The bytes in front of a value's datum.
   *
   * @param kafka what stands before them; null for nothing
   * @param key the key; null where there is none
   * @param from where the key's datum begins in it
   */
  public byte[] bytes(byte @Nullable [] kafka, byte @Nullable [] key, int from, boolean deleted) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(64);
    if (kafka != null) {
      out.writeBytes(kafka);
    }
    if (format == Format.STRING) {
      AvroBytes.nullable(key, out);
    } else if (key != null) {
      out.write(key, from, key.length - from);
    }
    out.write(deleted ? 1 : 0);
    return out.toByteArray();
  }

  /** Whether a key that is a text is UTF-8. */
  public static boolean isText(byte[] key) {
    return Arrays.equals(new String(key, UTF_8).getBytes(UTF_8), key);
  }
}
