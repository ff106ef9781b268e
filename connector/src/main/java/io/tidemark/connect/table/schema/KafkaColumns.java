package io.tidemark.connect.table.schema;

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
 * The columns of a table that say where its records came from in Kafka. Their bytes stand in front
 * of a datum, as if the producer had written them, so that no datum is decoded for them. Immutable.
 *
 * <p>All of them may be null, so that a table can get them later, and keeps them when they are no
 * longer wanted.
 */
public final class KafkaColumns {
  private static final Schema NULL = Schema.create(Schema.Type.NULL);

  /** What there is to know of a record, in the order of the columns. */
  public enum Column {
    TOPIC,
    PARTITION,
    OFFSET,
    TIMESTAMP,
    KEY,
    HEADERS;

    /** As a configuration names it. Example: {@code offset} */
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

  private final Set<Column> columns;
  private final String prefix;

  /**
   * {@code prefix} begins their names. Example: {@code kafka_}, which makes {@code kafka_offset}
   */
  public KafkaColumns(Set<Column> columns, String prefix) {
    this.columns = EnumSet.copyOf(columns);
    this.prefix = prefix;
  }

  /**
   * Reads a list of names with commas between them.
   *
   * @throws IllegalArgumentException one of them is none, or stands twice
   */
  public static Set<Column> parse(String names) {
    Set<Column> parsed = EnumSet.noneOf(Column.class);
    for (String name : names.isBlank() ? new String[0] : names.split(",", -1)) {
      Column column =
          Arrays.stream(Column.values())
              .filter(each -> each.key().equals(name.trim()))
              .findFirst()
              .orElseThrow(
                  () -> new IllegalArgumentException("\"%s\" is none".formatted(name.trim())));
      if (!parsed.add(column)) {
        throw new IllegalArgumentException("\"%s\" stands twice".formatted(name.trim()));
      }
    }
    return parsed;
  }

  /** Whether there is a column. */
  public boolean has(Column column) {
    return columns.contains(column);
  }

  private static Schema nullable(Schema schema) {
    return Schema.createUnion(NULL, schema);
  }

  /**
   * The schema of a writer's datums with the columns' bytes in front.
   *
   * @throws SchemaConflictException the writer has a field of a column's name
   */
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
        "Set columns.kafka.prefix to another one, or leave the column out of columns.kafka.");
  }

  /**
   * The bytes of the columns for one record.
   *
   * @param timestamp in milliseconds since the epoch; negative where there is none
   * @param headers in their order; a name may come again
   */
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
        case TOPIC -> {
          AvroBytes.number(AvroBytes.VALUE_BRANCH, out);
          AvroBytes.value(topic.getBytes(UTF_8), out);
        }
        case PARTITION -> {
          AvroBytes.number(AvroBytes.VALUE_BRANCH, out);
          AvroBytes.number(partition, out);
        }
        case OFFSET -> {
          AvroBytes.number(AvroBytes.VALUE_BRANCH, out);
          AvroBytes.number(offset, out);
        }
        case TIMESTAMP -> {
          AvroBytes.number(timestamp < 0 ? AvroBytes.NULL_BRANCH : AvroBytes.VALUE_BRANCH, out);
          if (timestamp >= 0) {
            AvroBytes.number(timestamp, out);
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
