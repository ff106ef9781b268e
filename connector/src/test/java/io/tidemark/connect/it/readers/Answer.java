package io.tidemark.connect.it.readers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A table as a reader shows it. Names of columns are compared without regard to case.
 *
 * @param types the type of each column, in the reader's own words
 * @param rows the value of each column, in the form of {@link ShownValue}, by the number of the row
 * @param errors why the reader does not show a column
 */
record Answer(
    Map<String, String> types, Map<Long, Map<String, JsonNode>> rows, Map<String, String> errors) {

  static final String KEY = "seq";

  Answer {
    types = ignoringCase(types);
    errors = ignoringCase(errors);
  }

  Answer(Map<String, String> types, Map<Long, Map<String, JsonNode>> rows) {
    this(types, rows, Map.of());
  }

  private static <T> Map<String, T> ignoringCase(Map<String, T> map) {
    Map<String, T> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    sorted.putAll(map);
    return sorted;
  }

  /**
   * The answer of a program, which is {@code {"types": {…}, "rows": [{…}, …], "errors": {…}}}. A
   * program may leave out errors.
   */
  static Answer of(JsonNode json) {
    if (json.has("error")) {
      throw new AssertionError(json.get("error").asText());
    }
    Map<Long, Map<String, JsonNode>> rows = new TreeMap<>();
    for (JsonNode row : json.path("rows")) {
      Map<String, JsonNode> values = new TreeMap<>();
      row.properties().forEach(value -> values.put(value.getKey(), member(value.getValue())));
      add(rows, values);
    }
    return new Answer(texts(json.path("types")), rows, texts(json.path("errors")));
  }

  private static Map<String, String> texts(JsonNode json) {
    Map<String, String> texts = new TreeMap<>();
    json.properties().forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
    return texts;
  }

  /**
   * The value without the members of unions that are null. Spark shows a union as the fields {@code
   * member0}, {@code member1} and so on, and Trino as {@code tag} and then {@code field0} and so
   * on.
   */
  private static JsonNode member(JsonNode value) {
    if (value.isArray()) {
      ArrayNode items = JsonNodeFactory.instance.arrayNode();
      value.forEach(item -> items.add(member(item)));
      return items;
    }
    if (!value.isObject()) {
      return value;
    }
    ObjectNode parts = JsonNodeFactory.instance.objectNode();
    List<JsonNode> members = new ArrayList<>();
    for (Map.Entry<String, JsonNode> field : value.properties()) {
      JsonNode part = member(field.getValue());
      parts.set(field.getKey(), part);
      if (field.getKey().matches("(member|field)[0-9]") && !part.isNull()) {
        members.add(part);
      }
    }
    boolean isUnion =
        parts.size() > 0
            && parts.properties().stream()
                .allMatch(field -> field.getKey().matches("tag|(member|field)[0-9]"));
    return isUnion && members.size() == 1 ? members.get(0) : parts;
  }

  /** Adds a row, which must not be there yet. */
  static void add(Map<Long, Map<String, JsonNode>> rows, Map<String, JsonNode> row) {
    Map<String, JsonNode> values = ignoringCase(row);
    JsonNode key = values.get(KEY);
    long seq =
        Long.parseLong(String.valueOf(key == null ? null : key.asText()).replace("int ", ""));
    if (rows.put(seq, values) != null) {
      throw new AssertionError("row " + seq + " is there twice");
    }
  }
}
