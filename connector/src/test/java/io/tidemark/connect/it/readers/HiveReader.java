package io.tidemark.connect.it.readers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** HiveServer2 over JDBC. */
final class HiveReader {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private HiveReader() {}

  /**
   * Reads a table.
   *
   * @param hive returns the rows of a query
   * @param table the name for SQL
   */
  static Answer read(
      Function<String, List<List<@Nullable Object>>> hive,
      String table,
      List<TypedColumn> columns) {
    Map<String, String> types = new LinkedHashMap<>();
    for (List<@Nullable Object> row : hive.apply("DESCRIBE " + table)) {
      String name = String.valueOf(row.get(0));
      if (name.isEmpty() || name.startsWith("#")) {
        break; // The partition columns follow once more.
      }
      types.put(name, String.valueOf(row.get(1)));
    }
    // As text, because JDBC's own classes would convert it to the time zone and the calendar of
    // this JVM.
    String selected =
        types.entrySet().stream()
            .map(
                column ->
                    column.getValue().equals("date") || column.getValue().equals("timestamp")
                        ? "CAST(`%s` AS STRING)".formatted(column.getKey())
                        : "`%s`".formatted(column.getKey()))
            .collect(Collectors.joining(", "));
    Map<String, Schema> schemas =
        columns.stream()
            .collect(
                Collectors.toMap(
                    column -> column.name().toLowerCase(Locale.ROOT), TypedColumn::last));
    Map<Long, Map<String, JsonNode>> rows = new TreeMap<>();
    for (List<@Nullable Object> cells :
        hive.apply("SELECT %s FROM %s".formatted(selected, table))) {
      Map<String, JsonNode> row = new TreeMap<>();
      int cell = 0;
      for (Map.Entry<String, String> column : types.entrySet()) {
        row.put(
            column.getKey(),
            value(column.getValue(), cells.get(cell++), schemas.get(column.getKey())));
      }
      Answer.add(rows, row);
    }
    return new Answer(types, rows);
  }

  private static JsonNode value(String type, @Nullable Object cell, @Nullable Schema schema) {
    if (cell == null) {
      return NODES.nullNode();
    }
    return switch (type) {
      case "date" -> ShownValue.leaf(LocalDate.parse(cell.toString()));
      // JDBC returns the double whose digits are those of the float.
      case "float" -> ShownValue.leaf(Float.parseFloat(cell.toString()));
      case "timestamp" -> ShownValue.leaf(instant(cell.toString()));
      default ->
          schema != null && type.matches("(array|map|struct|uniontype)<.*")
              ? parts(schema, json(cell.toString()))
              : ShownValue.leaf(cell);
    };
  }

  private static Object instant(String text) {
    return LocalDateTime.parse(text.replace(' ', 'T')).toInstant(ZoneOffset.UTC);
  }

  /**
   * Hive shows composite values as JSON, except for the tag of a union. Example: {@code {1:"a"}}.
   * No text in the tests' values looks like a tag.
   */
  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text.replaceAll("\\{(\\d+):", "{\"$1\":"));
    } catch (JsonProcessingException e) {
      throw new AssertionError("not JSON: " + text, e);
    }
  }

  private static JsonNode parts(Schema schema, JsonNode shown) {
    if (shown.isNull()) {
      return shown;
    }
    switch (schema.getType()) {
      case UNION -> {
        List<Schema> branches =
            schema.getTypes().stream().filter(type -> type.getType() != Schema.Type.NULL).toList();
        if (branches.size() == 1) {
          return parts(branches.get(0), shown);
        }
        Map.Entry<String, JsonNode> tagged = shown.properties().iterator().next();
        return parts(branches.get(Integer.parseInt(tagged.getKey())), tagged.getValue());
      }
      case ARRAY -> {
        ArrayNode items = NODES.arrayNode();
        shown.forEach(item -> items.add(parts(schema.getElementType(), item)));
        return items;
      }
      case MAP -> {
        ObjectNode entries = NODES.objectNode();
        shown
            .properties()
            .forEach(
                entry ->
                    entries.set(entry.getKey(), parts(schema.getValueType(), entry.getValue())));
        return entries;
      }
      case RECORD -> {
        ObjectNode fields = NODES.objectNode();
        for (Schema.Field field : schema.getFields()) {
          String name = field.name().toLowerCase(Locale.ROOT);
          fields.set(name, parts(field.schema(), shown.path(name)));
        }
        return fields;
      }
      case FLOAT, DOUBLE -> {
        return ShownValue.leaf(shown.doubleValue());
      }
      default -> {
        if (shown.isNumber()) {
          return ShownValue.leaf(shown.numberValue());
        }
        String text = shown.asText();
        return switch (String.valueOf(schema.getProp("logicalType"))) {
          case "date" -> ShownValue.leaf(LocalDate.parse(text));
          case "timestamp-millis" -> ShownValue.leaf(instant(text));
          default -> ShownValue.leaf(text);
        };
      }
    }
  }
}
