package io.tidemark.connect.it.readers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Conversions;
import org.apache.avro.Schema;
import org.apache.avro.data.TimeConversions;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.generic.GenericArray;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericEnumSymbol;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.util.TimePeriod;
import org.jspecify.annotations.Nullable;

/** Avro's own library, with its conversions of logical types. */
final class AvroReader {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private AvroReader() {}

  private static GenericData conversions() {
    GenericData data = new GenericData();
    data.addLogicalTypeConversion(new Conversions.DecimalConversion());
    data.addLogicalTypeConversion(new Conversions.DurationConversion());
    data.addLogicalTypeConversion(new Conversions.UUIDConversion());
    data.addLogicalTypeConversion(new TimeConversions.DateConversion());
    data.addLogicalTypeConversion(new TimeConversions.TimeMillisConversion());
    data.addLogicalTypeConversion(new TimeConversions.TimeMicrosConversion());
    data.addLogicalTypeConversion(new TimeConversions.TimestampMillisConversion());
    data.addLogicalTypeConversion(new TimeConversions.TimestampMicrosConversion());
    data.addLogicalTypeConversion(new TimeConversions.TimestampNanosConversion());
    data.addLogicalTypeConversion(new TimeConversions.LocalTimestampMillisConversion());
    data.addLogicalTypeConversion(new TimeConversions.LocalTimestampMicrosConversion());
    data.addLogicalTypeConversion(new TimeConversions.LocalTimestampNanosConversion());
    return data;
  }

  /** Reads files with a schema. */
  static Answer read(Schema schema, List<Path> files) throws IOException {
    GenericData data = conversions();
    Map<String, String> types = new TreeMap<>();
    Map<Long, Map<String, JsonNode>> rows = new TreeMap<>();
    for (Path file : files) {
      try (DataFileReader<GenericRecord> reader =
          new DataFileReader<>(file.toFile(), new GenericDatumReader<>(null, schema, data))) {
        for (GenericRecord record : reader) {
          Map<String, JsonNode> row = new TreeMap<>();
          for (Schema.Field field : schema.getFields()) {
            Object value = record.get(field.name());
            row.put(field.name(), shown(value));
            types.merge(field.name(), type(value), AvroReader::both);
          }
          Answer.add(rows, row);
        }
      }
    }
    return new Answer(types, rows);
  }

  /** The types of two values of a column. */
  static String both(String one, String other) {
    if (one.equals("null") || one.contains(other)) {
      return one.equals("null") ? other : one;
    }
    return other.equals("null") ? one : one + ", " + other;
  }

  private static String type(@Nullable Object value) {
    return value == null
        ? "null"
        : List.of(
                CharSequence.class,
                ByteBuffer.class,
                GenericArray.class,
                GenericEnumSymbol.class,
                GenericFixed.class,
                GenericRecord.class,
                List.class,
                Map.class)
            .stream()
            .filter(each -> each.isInstance(value))
            .findFirst()
            .<Class<?>>map(each -> each)
            .orElse(value.getClass())
            .getSimpleName();
  }

  private static JsonNode shown(@Nullable Object value) {
    if (value instanceof GenericRecord record) {
      ObjectNode fields = NODES.objectNode();
      record
          .getSchema()
          .getFields()
          .forEach(field -> fields.set(field.name(), shown(record.get(field.name()))));
      return fields;
    }
    if (value instanceof List<?> list) {
      ArrayNode items = NODES.arrayNode();
      list.forEach(item -> items.add(shown(item)));
      return items;
    }
    if (value instanceof Map<?, ?> map) {
      ObjectNode entries = NODES.objectNode();
      map.forEach((key, entry) -> entries.set(key.toString(), shown(entry)));
      return entries;
    }
    if (value instanceof TimePeriod period) {
      return NODES.textNode(
          "duration %d %d %d".formatted(period.getMonths(), period.getDays(), period.getMillis()));
    }
    return ShownValue.leaf(value);
  }
}
