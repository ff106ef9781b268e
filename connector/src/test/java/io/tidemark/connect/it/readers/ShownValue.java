package io.tidemark.connect.it.readers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/**
 * A value in the form in which the answers of all readers are compared: JSON with the type in each
 * leaf.
 *
 * <p>Examples: {@code "int 7"}, {@code "decimal 12.5"}, {@code {"at": "date 2026-11-21"}}. A float
 * or double is the hexadecimal digits of the double's bits: {@code "real 3ff8000000000000"}.
 */
final class ShownValue {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSSSSS");

  /** Example: {@code 2026-11-21T07:30:00.000000000}. */
  private static final DateTimeFormatter DATE_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS");

  private static final Map<String, ChronoUnit> UNITS =
      Map.of("millis", ChronoUnit.MILLIS, "micros", ChronoUnit.MICROS, "nanos", ChronoUnit.NANOS);

  private ShownValue() {}

  /**
   * The meaning of a value by its schema, with logical types. It is computed here, from the numbers
   * and bytes in the file.
   */
  static JsonNode meant(Schema schema, @Nullable Object raw) {
    return of(schema, raw, true);
  }

  /** A value as stored in the file: the number, the bytes or the text below a logical type. */
  static JsonNode stored(Schema schema, @Nullable Object raw) {
    return of(schema, raw, false);
  }

  private static JsonNode of(Schema schema, @Nullable Object raw, boolean logical) {
    if (raw == null) {
      return JSON.nullNode();
    }
    return switch (schema.getType()) {
      case UNION -> {
        int branch = GenericData.get().resolveUnion(schema, raw);
        yield of(schema.getTypes().get(branch), raw, logical);
      }
      case ARRAY -> {
        ArrayNode items = JSON.arrayNode();
        ((List<?>) raw).forEach(item -> items.add(of(schema.getElementType(), item, logical)));
        yield items;
      }
      case MAP -> {
        ObjectNode entries = JSON.objectNode();
        ((Map<?, ?>) raw)
            .forEach(
                (key, value) ->
                    entries.set(key.toString(), of(schema.getValueType(), value, logical)));
        yield entries;
      }
      case RECORD -> {
        ObjectNode fields = JSON.objectNode();
        for (Schema.Field field : schema.getFields()) {
          Object value = ((GenericRecord) raw).get(field.name());
          fields.set(field.name(), of(field.schema(), value, logical));
        }
        yield fields;
      }
      default -> {
        String type = schema.getProp("logicalType");
        yield leaf(logical && type != null ? meant(schema, type, raw) : raw);
      }
    };
  }

  private static Object meant(Schema schema, String logicalType, Object raw) {
    int unit = logicalType.lastIndexOf('-') + 1;
    return switch (logicalType) {
      case "decimal" ->
          new BigDecimal(
              new BigInteger(bytes(raw)), ((Number) schema.getObjectProp("scale")).intValue());
      case "date" -> LocalDate.ofEpochDay((Integer) raw);
      case "uuid" ->
          raw instanceof GenericFixed ? uuid(bytes(raw)) : UUID.fromString(raw.toString());
      case "duration" -> {
        ByteBuffer parts = ByteBuffer.wrap(bytes(raw)).order(ByteOrder.LITTLE_ENDIAN);
        yield new Text(
            "duration %d %d %d".formatted(parts.getInt(), parts.getInt(), parts.getInt()));
      }
      case "time-millis", "time-micros" ->
          LocalTime.MIDNIGHT.plus(units(raw, logicalType.substring(unit)));
      case "timestamp-millis", "timestamp-micros", "timestamp-nanos" ->
          Instant.EPOCH.plus(units(raw, logicalType.substring(unit)));
      case "local-timestamp-millis", "local-timestamp-micros", "local-timestamp-nanos" ->
          LocalDateTime.ofInstant(
              Instant.EPOCH.plus(units(raw, logicalType.substring(unit))), ZoneOffset.UTC);
      default -> throw new IllegalArgumentException(logicalType);
    };
  }

  private static Duration units(Object raw, String unit) {
    ChronoUnit chronoUnit = UNITS.get(unit);
    if (chronoUnit == null) {
      throw new IllegalArgumentException(unit);
    }
    return Duration.of(((Number) raw).longValue(), chronoUnit);
  }

  private static UUID uuid(byte[] bytes) {
    ByteBuffer halves = ByteBuffer.wrap(bytes);
    return new UUID(halves.getLong(), halves.getLong());
  }

  /**
   * A reader's value, with the fields of records named as in the schema, because Hive and Trino
   * show names in lower case. A date and time without a zone is an instant in UTC if the schema has
   * an instant.
   */
  static JsonNode named(Schema schema, JsonNode shown) {
    if (schema.getType() == Schema.Type.UNION) {
      JsonNode named = shown;
      for (Schema branch : schema.getTypes()) {
        named = named(branch, named);
      }
      return named;
    }
    if (schema.getType() == Schema.Type.ARRAY && shown.isArray()) {
      ArrayNode items = JSON.arrayNode();
      shown.forEach(item -> items.add(named(schema.getElementType(), item)));
      return items;
    }
    if (schema.getType() == Schema.Type.MAP && shown.isObject()) {
      ObjectNode entries = JSON.objectNode();
      shown
          .properties()
          .forEach(
              entry -> entries.set(entry.getKey(), named(schema.getValueType(), entry.getValue())));
      return entries;
    }
    if (schema.getType() == Schema.Type.RECORD && shown.isObject()) {
      ObjectNode fields = JSON.objectNode();
      shown
          .properties()
          .forEach(
              entry -> {
                Schema.Field field =
                    schema.getFields().stream()
                        .filter(each -> each.name().equalsIgnoreCase(entry.getKey()))
                        .findFirst()
                        .orElse(null);
                fields.set(
                    field == null ? entry.getKey() : field.name(),
                    field == null ? entry.getValue() : named(field.schema(), entry.getValue()));
              });
      return fields;
    }
    boolean isInstant = String.valueOf(schema.getProp("logicalType")).startsWith("timestamp-");
    return isInstant && shown.isTextual()
        ? JSON.textNode(shown.textValue().replaceFirst("^local ", "instant "))
        : shown;
  }

  private record Text(String text) {}

  /** A Java value that is not composite. */
  static JsonNode leaf(@Nullable Object value) {
    if (value == null) {
      return JSON.nullNode();
    }
    if (value instanceof Text text) {
      return JSON.textNode(text.text());
    }
    return JSON.textNode(tagged(value));
  }

  private static String tagged(Object value) {
    if (value instanceof Boolean) {
      return "boolean " + value;
    }
    if (value instanceof Float || value instanceof Double) {
      double number = ((Number) value).doubleValue();
      return "real " + HexFormat.of().toHexDigits(Double.doubleToLongBits(number));
    }
    if (value instanceof BigDecimal decimal) {
      return "decimal " + decimal.stripTrailingZeros().toPlainString();
    }
    if (value instanceof Number) {
      return "int " + value;
    }
    if (value instanceof ByteBuffer || value instanceof GenericFixed || value instanceof byte[]) {
      return "bytes " + HexFormat.of().formatHex(bytes(value));
    }
    if (value instanceof LocalDate) {
      return "date " + value;
    }
    if (value instanceof LocalTime time) {
      return "time " + TIME.format(time);
    }
    if (value instanceof Instant instant) {
      return "instant " + DATE_TIME.format(instant.atOffset(ZoneOffset.UTC));
    }
    if (value instanceof LocalDateTime local) {
      return "local " + DATE_TIME.format(local);
    }
    if (value instanceof UUID) {
      return "uuid " + value;
    }
    return "text " + value;
  }

  private static byte[] bytes(Object value) {
    if (value instanceof GenericFixed fixed) {
      return fixed.bytes();
    }
    if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return bytes;
    }
    return (byte[]) value;
  }
}
