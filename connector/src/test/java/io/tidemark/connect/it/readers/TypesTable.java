package io.tidemark.connect.it.readers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** A table of types in docs/READERS.md: each column as each reader shows it. */
final class TypesTable {

  private static final Path DOCUMENT = Path.of("..", "docs", "READERS.md");
  private static final String WRITE = "tidemark.docs.write";
  private static final String END = "<!-- End of the table. -->";
  private static final int EXAMPLES = 3;

  private final List<Table> tables;

  /**
   * A table and its readers' answers.
   *
   * @param answers by the reader's name in the document
   * @param failing the readers that fail to read the table; for others without an answer there is
   *     none
   */
  record Table(
      List<TypedColumn> columns, long firstRows, Map<String, Answer> answers, Set<String> failing) {

    /** The values that a reader shows neither by their meaning nor as stored in the file. */
    Map<String, Set<String>> wrong(String reader) {
      Map<String, Set<String>> wrong = new TreeMap<>();
      for (TypedColumn column : columns) {
        Set<String> differing = differing(column, reader);
        if (!differing.isEmpty()) {
          wrong.put(column.label(), differing);
        }
      }
      return wrong;
    }

    /** The labels of the columns whose values a reader shows as they are stored, or not at all. */
    Set<String> withoutMeaning(String reader) {
      return columns.stream()
          .filter(column -> fails(column, reader) || !shows(column, reader, true))
          .map(TypedColumn::label)
          .collect(Collectors.toCollection(TreeSet::new));
    }

    Answer answer(String reader) {
      Answer answer = answers.get(reader);
      if (answer == null) {
        throw new AssertionError("no answer of " + reader);
      }
      return answer;
    }

    private boolean fails(TypedColumn column, String reader) {
      return !answers.containsKey(reader) || answer(reader).errors().containsKey(column.name());
    }

    /** A column as a reader shows it. Example: {@code `bigint`, the number}. */
    private String cell(TypedColumn column, String reader) {
      if (fails(column, reader)) {
        return failing.contains(reader) || answers.containsKey(reader) ? "fails" : "no table";
      }
      String shown = answer(reader).types().get(column.name());
      if (shown == null) {
        return "no column";
      }
      String type = "`" + shown + "`";
      if (shows(column, reader, true)) {
        return type;
      }
      return shows(column, reader, false)
          ? type + ", " + below(column.last())
          : type + ", but " + examples(differing(column, reader));
    }

    private static String examples(Set<String> differing) {
      String examples = differing.stream().limit(EXAMPLES).collect(Collectors.joining("; "));
      return differing.size() > EXAMPLES ? examples + "; and others" : examples;
    }

    private boolean shows(TypedColumn column, String reader, boolean meant) {
      for (Map.Entry<Long, Map<String, JsonNode>> row : answer(reader).rows().entrySet()) {
        long seq = row.getKey();
        boolean first = seq < firstRows;
        JsonNode wanted = meant ? column.meant(seq, first) : column.stored(seq, first);
        if (!wanted.equals(seen(column, row.getValue()))) {
          return false;
        }
      }
      return true;
    }

    private static @Nullable JsonNode seen(TypedColumn column, Map<String, JsonNode> row) {
      JsonNode value = row.get(column.name());
      return value == null ? null : ShownValue.named(column.last(), value);
    }

    private Set<String> differing(TypedColumn column, String reader) {
      Set<String> differing = new LinkedHashSet<>();
      if (fails(column, reader) || shows(column, reader, true) || shows(column, reader, false)) {
        return differing;
      }
      for (Map.Entry<Long, Map<String, JsonNode>> row : answer(reader).rows().entrySet()) {
        JsonNode meant = column.meant(row.getKey(), row.getKey() < firstRows);
        JsonNode seen = seen(column, row.getValue());
        if (!meant.equals(seen)) {
          differing.add(
              "%s is shown as %s".formatted(text(meant), seen == null ? "nothing" : text(seen)));
        }
      }
      return differing;
    }

    private static String text(JsonNode value) {
      return value.isTextual()
          ? value.textValue().replaceFirst("^[a-z]+ ", "").replaceFirst("\\.000000000$", "")
          : value.toString();
    }

    private static String below(Schema schema) {
      return switch (schema.getType()) {
        case INT, LONG -> "the number";
        case BYTES, FIXED -> "the bytes";
        case STRING -> "the text";
        default -> "as it is stored";
      };
    }
  }

  TypesTable(Collection<Table> tables) {
    this.tables = List.copyOf(tables);
  }

  /** The cells of each reader, by label. Columns that share a label share a row. */
  private Map<String, List<String>> rows(List<String> readers) {
    Map<String, List<String>> rows = new LinkedHashMap<>();
    for (Table each : tables) {
      Map<String, List<TypedColumn>> labels =
          each.columns().stream()
              .collect(
                  Collectors.groupingBy(
                      TypedColumn::label, LinkedHashMap::new, Collectors.toList()));
      labels.forEach(
          (label, columns) ->
              rows.putIfAbsent(
                  label,
                  readers.stream()
                      .map(
                          reader ->
                              columns.stream()
                                  .map(column -> each.cell(column, reader))
                                  .distinct()
                                  .collect(Collectors.joining("; ")))
                      .toList()));
    }
    return rows;
  }

  private static String markdown(List<String> readers, Map<String, List<String>> rows) {
    List<String> lines = new ArrayList<>();
    lines.add("| Avro | " + String.join(" | ", readers) + " |");
    lines.add("|---".repeat(readers.size() + 1) + "|");
    rows.forEach(
        (label, cells) -> {
          StringBuilder line = new StringBuilder("| ").append(label).append(" |");
          cells.forEach(cell -> line.append(' ').append(cell.replace("|", "\\|")).append(" |"));
          lines.add(line.toString());
        });
    return String.join("\n", lines) + "\n";
  }

  /**
   * Fails unless the document contains this table.
   *
   * @param test the test that writes it
   */
  void assertInDocument(String test, List<String> readers) throws IOException {
    assertInDocument(
        "<!-- " + test + " writes this table. -->\n", markdown(readers, rows(readers)));
  }

  /** Does the same for the rows that differ from those of another table. */
  void assertInDocument(String test, String settings, List<String> readers, TypesTable other)
      throws IOException {
    Map<String, List<String>> rows = rows(readers);
    rows.entrySet().removeAll(other.rows(readers).entrySet());
    assertInDocument(
        "<!-- " + test + " writes this table, with " + settings + ". -->\n",
        markdown(readers, rows));
  }

  private static void assertInDocument(String mark, String seen) throws IOException {
    String document = Files.readString(DOCUMENT);
    int begin = document.indexOf(mark);
    assertThat(begin).as("%s has a line %s", DOCUMENT, mark).isNotNegative();
    int end = document.indexOf(END, begin);
    assertThat(end).as("%s has a line %s", DOCUMENT, END).isGreaterThan(begin);
    int text = begin + mark.length();
    if (Boolean.getBoolean(WRITE)) {
      Files.writeString(DOCUMENT, document.substring(0, text) + seen + document.substring(end));
      return;
    }
    assertThat(document.substring(text, end))
        .as("the table of types in %s; -D%s=true writes what the readers show", DOCUMENT, WRITE)
        .isEqualTo(seen);
  }
}
