package io.tidemark.connect.it.readers;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A table as a reader shows it.
 *
 * @param types the type of each column, in the reader's own words
 * @param rows the value of each column, in the form of {@link ShownValue}, by the number of the row
 */
record Answer(Map<String, String> types, Map<Long, Map<String, JsonNode>> rows) {

  static final String KEY = "seq";

  /** The answer of a program, which is {@code {"types": {…}, "rows": [{…}, …]}}. */
  static Answer of(JsonNode json) {
    if (json.has("error")) {
      throw new AssertionError(json.get("error").asText());
    }
    Map<String, String> types = new TreeMap<>();
    json.path("types")
        .properties()
        .forEach(type -> types.put(type.getKey(), type.getValue().asText()));
    Map<Long, Map<String, JsonNode>> rows = new TreeMap<>();
    for (JsonNode row : json.path("rows")) {
      Map<String, JsonNode> values = new TreeMap<>();
      row.properties().forEach(value -> values.put(value.getKey(), member(value.getValue())));
      add(rows, values);
    }
    return new Answer(types, rows);
  }

  /** The value itself if Spark shows the members of a union, of which one is not null. */
  private static JsonNode member(JsonNode value) {
    List<JsonNode> present = new ArrayList<>();
    for (Map.Entry<String, JsonNode> field : value.properties()) {
      if (!field.getKey().matches("member[0-9]")) {
        return value;
      }
      if (!field.getValue().isNull()) {
        present.add(field.getValue());
      }
    }
    return present.size() == 1 ? present.get(0) : value;
  }

  /** Adds a row, which must not be there yet. */
  static void add(Map<Long, Map<String, JsonNode>> rows, Map<String, JsonNode> row) {
    JsonNode key = row.get(KEY);
    long seq =
        Long.parseLong(String.valueOf(key == null ? null : key.asText()).replace("int ", ""));
    if (rows.put(seq, row) != null) {
      throw new AssertionError("row " + seq + " is there twice");
    }
  }
}
