package io.tidemark.connect.it.readers;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/**
 * What {@code types=hive} with {@code types.inexact=truncate} makes of schemas and values, as
 * docs/CONFIG.md describes it. It shares no code with the connector.
 */
final class HiveTypes {

  private static final String MILLIS = "timestamp-millis";

  private HiveTypes() {}

  /** The schema in the table of a schema without records that contain themselves. */
  static Schema schema(Schema schema) {
    return switch (schema.getType()) {
      case UNION -> Schema.createUnion(schema.getTypes().stream().map(HiveTypes::schema).toList());
      case ARRAY -> Schema.createArray(schema(schema.getElementType()));
      case MAP -> Schema.createMap(schema(schema.getValueType()));
      case RECORD -> {
        List<Schema.Field> fields = new ArrayList<>();
        for (Schema.Field field : schema.getFields()) {
          fields.add(new Schema.Field(field.name(), schema(field.schema())));
        }
        yield Schema.createRecord(
            schema.getName(),
            null,
            schema.getNamespace(),
            false,
            Collections.unmodifiableList(fields));
      }
      default -> leaf(schema);
    };
  }

  private static Schema leaf(Schema schema) {
    String type = logicalType(schema);
    if (type.contains("timestamp")) {
      Schema millis = Schema.create(Schema.Type.LONG);
      millis.addProp("logicalType", MILLIS);
      return millis;
    }
    if (type.equals("uuid")) {
      return Schema.create(Schema.Type.STRING);
    }
    if (type.equals("decimal")) {
      Schema decimal = Schema.create(Schema.Type.BYTES);
      schema.getObjectProps().forEach(decimal::addProp);
      return decimal;
    }
    return schema;
  }

  private static String logicalType(Schema schema) {
    String type = schema.getProp("logicalType");
    return type == null ? "" : type;
  }

  static List<@Nullable Object> values(Schema schema, List<@Nullable Object> raw) {
    List<@Nullable Object> values = new ArrayList<>();
    raw.forEach(each -> values.add(value(schema, each)));
    return values;
  }

  /** The value in the table of a value with this schema. */
  private static @Nullable Object value(Schema schema, @Nullable Object raw) {
    if (raw == null) {
      return null;
    }
    return switch (schema.getType()) {
      case UNION -> value(schema.getTypes().get(GenericData.get().resolveUnion(schema, raw)), raw);
      case ARRAY -> values(schema.getElementType(), new ArrayList<>((List<?>) raw));
      case MAP -> {
        Map<String, @Nullable Object> entries = new HashMap<>();
        ((Map<?, ?>) raw)
            .forEach(
                (key, each) -> entries.put(key.toString(), value(schema.getValueType(), each)));
        yield entries;
      }
      case RECORD -> {
        GenericRecord record = new GenericData.Record(schema(schema));
        for (Schema.Field field : schema.getFields()) {
          record.put(field.name(), value(field.schema(), ((GenericRecord) raw).get(field.name())));
        }
        yield record;
      }
      default -> leaf(schema, raw);
    };
  }

  private static Object leaf(Schema schema, Object raw) {
    String type = logicalType(schema);
    if (type.endsWith("timestamp-micros")) {
      return Math.floorDiv((Long) raw, 1_000L);
    }
    if (type.endsWith("timestamp-nanos")) {
      return Math.floorDiv((Long) raw, 1_000_000L);
    }
    if (raw instanceof GenericFixed fixed) {
      ByteBuffer bytes = ByteBuffer.wrap(fixed.bytes());
      return switch (type) {
        case "uuid" -> new UUID(bytes.getLong(), bytes.getLong()).toString();
        case "decimal" -> ByteBuffer.wrap(new BigInteger(fixed.bytes()).toByteArray());
        default -> raw;
      };
    }
    return raw;
  }
}
