package io.tidemark.store.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.JsonProperties;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a table that contain a record's origin in Kafka. Their bytes are written in front
 * of a datum as if they were fields of the producer, so no datum is decoded for them. Immutable.
 *
 * <p>All columns are nullable, so that they can be added later, and remain if not configured.
 */
public record KafkaColumns(Set<Column> columns, String prefix) {
  private static final Schema NULL = Schema.create(Schema.Type.NULL);

  /** The available columns, in their order in the table. */
  public enum Column {
    TOPIC,
    PARTITION,
    OFFSET,
    TIMESTAMP,
    KEY,
    HEADERS;

    /** Example: {@code offset} */
    public String key() {
      return name().toLowerCase(Locale.ROOT);
    }

    private Schema schema() {
      return switch (this) {
        case TOPIC -> Schema.create(Schema.Type.STRING);
        case PARTITION -> Schema.create(Schema.Type.INT);
        case OFFSET -> Schema.create(Schema.Type.LONG);
        case TIMESTAMP ->
            LogicalTypes.timestampMillis().addToSchema(Schema.create(Schema.Type.LONG));
        case KEY -> Schema.create(Schema.Type.BYTES);
        case HEADERS -> Schema.createMap(nullable(Schema.create(Schema.Type.BYTES)));
      };
    }
  }

  /** Example of a prefix: {@code kafka_}, which gives {@code kafka_offset}. */
  public KafkaColumns {
    columns = EnumSet.copyOf(columns);
  }

  /** Parses names, separated by commas; an {@link IllegalArgumentException} has the wrong one. */
  public static Set<Column> parse(String names) {
    Set<Column> parsed = EnumSet.noneOf(Column.class);
    for (String name : names.isBlank() ? new String[0] : names.split(",", -1)) {
      Column column =
          Arrays.stream(Column.values())
              .filter(each -> each.key().equals(name.trim()))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "\"%s\" is not a column".formatted(name.trim())));
      if (!parsed.add(column)) {
        throw new IllegalArgumentException("\"%s\" occurs twice".formatted(name.trim()));
      }
    }
    return parsed;
  }

  public boolean has(Column column) {
    return columns.contains(column);
  }

  private static Schema nullable(Schema schema) {
    return Schema.createUnion(NULL, schema);
  }

  /** The schema with the columns in front; a field of the writer may not have a column's name. */
  public Schema inFrontOf(Schema writer) throws SchemaConflictException {
    List<Schema.Field> fields = new ArrayList<>();
    for (Column column : columns) {
      fields.add(
          new Schema.Field(
              prefix + column.key(),
              nullable(column.schema()),
              "Kafka's " + column.key() + " of the record",
              JsonProperties.NULL_VALUE));
    }
    return FieldsInFront.of(
        fields,
        writer,
        writer,
        "Set columns.kafka.prefix to another one, or leave the column out of columns.kafka.");
  }

  /** {@code timestamp} is negative if there is none; names of headers may repeat. */
  public byte[] bytes(
      String topic,
      int partition,
      long offset,
      long timestamp,
      byte @Nullable [] key,
      List<Map.Entry<String, byte @Nullable []>> headers) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(64);
    for (Column column : columns) {
      switch (column) {
        case TOPIC -> AvroBytes.nullable(topic.getBytes(UTF_8), out);
        case PARTITION -> AvroBytes.some(partition, out);
        case OFFSET -> AvroBytes.some(offset, out);
        case TIMESTAMP -> {
          if (timestamp < 0) {
            AvroBytes.number(AvroBytes.NULL_BRANCH, out);
          } else {
            AvroBytes.some(timestamp, out);
          }
        }
        case KEY -> AvroBytes.nullable(key, out);
        case HEADERS -> {
          AvroBytes.number(AvroBytes.VALUE_BRANCH, out);
          map(headers, out);
        }
      }
    }
    return out.toByteArray();
  }

  private static void map(
      List<Map.Entry<String, byte @Nullable []>> entries, ByteArrayOutputStream out) {
    if (!entries.isEmpty()) {
      AvroBytes.number(entries.size(), out);
      for (Map.Entry<String, byte @Nullable []> entry : entries) {
        AvroBytes.value(entry.getKey().getBytes(UTF_8), out);
        AvroBytes.nullable(entry.getValue(), out);
      }
    }
    AvroBytes.number(0, out);
  }

  @Override
  public String toString() {
    return columns.stream().map(column -> prefix + column.key()).collect(Collectors.joining(", "));
  }
}
