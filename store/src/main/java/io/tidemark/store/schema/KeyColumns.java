package io.tidemark.store.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.avro.plan.FieldDefaults;
import io.tidemark.store.PrintableText;
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
 * The key columns of a table that has a row for each record, including records without a value
 * (tombstones): the key's fields, and whether the record deletes the key. Their bytes precede the
 * value's datum. The bytes of an Avro key are copied unchanged. Immutable.
 *
 * <p>Example, for keys with a field {@code id}: {@code kafka_key_id}, {@code kafka_deleted}.
 */
public record KeyColumns(Format format, String prefix) {
  /**
   * The record of tables that began with a record without a value. At that time the record name of
   * the values was unknown. No producer uses this namespace.
   */
  private static final Schema ROW =
      Schema.createRecord("Row", null, "io.tidemark", false, List.of());

  private static final Set<Schema.Type> NAMED =
      EnumSet.of(Schema.Type.RECORD, Schema.Type.ENUM, Schema.Type.FIXED);

  private static final String CURE = "Set columns.kafka.prefix to another one.";

  public enum Format {
    /** An Avro datum, with a schema id in front or in a header. */
    AVRO,
    /** A text in UTF-8. */
    STRING
  }

  /** Example: {@code kafka_key_} */
  public static String keyPrefix(String prefix) {
    return prefix + "key_";
  }

  /** Returns the column that is true if the record has no value. Example: {@code kafka_deleted} */
  public static String deletedColumn(String prefix) {
    return prefix + "deleted";
  }

  /**
   * Returns the schema of a row's bytes, for a record that may lack key or value. A row without a
   * value gets the record name of the table. If the table began with a record without a value,
   * every row gets this name. Rejects fields, or different types, of key and value with one name.
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
      FieldDefaults defaults = new FieldDefaults();
      for (Schema.Field field : key.get().getFields()) {
        front.add(
            new Schema.Field(
                keyPrefix(prefix) + field.name(),
                field.schema(),
                "of the record's key",
                defaults.mayBeRead(field) ? FieldDefaults.given(field.defaultVal()) : null));
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

  /** Returns whether a table began with a record without a value. It accepts values of any name. */
  private static boolean isRow(Schema table) {
    return table.getFullName().equals(ROW.getFullName());
  }

  /**
   * Returns a value's schema for a table that once had key columns. If the table began with a
   * record without a value, the schema gets the record name of the table.
   */
  public static Schema underNameOf(Schema table, Schema value) throws SchemaConflictException {
    return isRow(table) ? FieldsInFront.of(List.of(), value, table, CURE) : value;
  }

  /** Requires that types of key and value with the same name are equal. */
  private static void requireOneMeaning(Schema row) throws SchemaConflictException {
    Map<String, Schema> named = new HashMap<>();
    Deque<Schema> toLookAt = new ArrayDeque<>(List.of(row));
    while (!toLookAt.isEmpty()) {
      Schema schema = toLookAt.pop();
      if (NAMED.contains(schema.getType())) {
        Schema before = named.putIfAbsent(schema.getFullName(), schema);
        if (before != null && !before.equals(schema)) {
          throw new SchemaConflictException(
              "The schemas of the record's key and value cannot be combined in one row: each has a type %s, and the two types differ. Give their types different names."
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

  /** Returns the bytes in front of a value's datum; the key begins at an index of its bytes. */
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

  public static boolean isText(byte[] key) {
    return Arrays.equals(new String(key, UTF_8).getBytes(UTF_8), key);
  }
}
