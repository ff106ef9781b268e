package io.tidemark.connect.it.readers;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.connect.it.readers.Landing.ReadTable;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What readers answer about the tables of {@link Landing}, with each of its settings. */
final class Matrix {

  static final String AS_IS = "as-is";
  static final String HIVE = "hive";

  /** {@code types.union=record} and {@code types.recursion=json}. */
  static final String RECORDS = "records";

  private final Map<String, Map<String, Entry>> entries = new LinkedHashMap<>();

  /** A table with the answers of readers, or their errors. */
  record Entry(ReadTable table, Map<String, Answer> answers, Map<String, String> errors) {

    void add(String reader, Answer answer) {
      answers.put(reader, answer);
    }

    /** Adds what a program has answered. */
    void add(String reader, JsonNode answer) {
      if (answer.has("error")) {
        errors.put(reader, answer.get("error").asText());
      } else {
        add(reader, Answer.of(answer));
      }
    }

    /** Why a reader has not read the table. */
    String error(String reader) {
      return Optional.ofNullable(errors.get(reader))
          .orElseThrow(() -> new AssertionError(reader + " has read " + table.name()));
    }

    TypesTable.Table compared() {
      return new TypesTable.Table(table.columns(), Landing.ROWS, answers, errors.keySet());
    }
  }

  /** Tables that are landed. */
  static Matrix of(Landing landing) throws IOException {
    Matrix matrix = new Matrix();
    for (String types : List.of(AS_IS, HIVE, RECORDS)) {
      Map<String, Entry> tables = new LinkedHashMap<>();
      landing
          .tables(types)
          .forEach(
              (kind, table) ->
                  tables.put(kind, new Entry(table, new LinkedHashMap<>(), new LinkedHashMap<>())));
      matrix.entries.put(types, tables);
    }
    return matrix;
  }

  /** All tables, in the order of the document. */
  List<Entry> all() {
    return entries.values().stream().map(Map::values).flatMap(Collection::stream).toList();
  }

  /** The tables with some settings. */
  Collection<Entry> all(String types) {
    return entries.getOrDefault(types, Map.of()).values();
  }

  Entry of(String types, String kind) {
    return Optional.ofNullable(entries.get(types))
        .map(tables -> tables.get(kind))
        .orElseThrow(() -> new IllegalArgumentException(types + ", " + kind));
  }

  private TypesTable table(String types) {
    return new TypesTable(all(types).stream().map(Entry::compared).toList());
  }

  /** Fails unless the document contains what the readers show. */
  void assertInDocument(String test, List<String> readers) throws IOException {
    table(AS_IS).assertInDocument(test, readers);
    table(HIVE).assertInDocument(test, "types=hive", readers, table(AS_IS));
    table(RECORDS).assertInDocument(test, "types.union=record", readers, table(AS_IS));
  }
}
