package io.tidemark.connect.it.readers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.avro.Schema;

/** The table of types in docs/READERS.md: each column as each reader shows it. */
final class TypesTable {

  private static final Path DOCUMENT = Path.of("..", "docs", "READERS.md");
  private static final String WRITE = "tidemark.docs.write";
  private static final String BEGIN = "<!-- ReadersIT writes this table. -->\n";
  private static final String END = "<!-- End of the table. -->";

  private final List<Table> tables;

  /**
   * A table and its readers' answers.
   *
   * @param answers by the reader's name in the document
   */
  record Table(List<TypedColumn> columns, long firstRows, Map<String, Answer> answers) {

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

    Answer answer(String reader) {
      Answer answer = answers.get(reader);
      if (answer == null) {
        throw new AssertionError("no answer of " + reader);
      }
      return answer;
    }

    /** A column as a reader shows it. Example: {@code `bigint`, the number}. */
    private String cell(TypedColumn column, String reader) {
      if (!answers.containsKey(reader)) {
        return "fails";
      }
      String type = "`" + answer(reader).types().get(column.name()) + "`";
      if (shows(column, reader, true)) {
        return type;
      }
      return shows(column, reader, false)
          ? type + ", " + below(column.last())
          : type + ", but " + String.join("; ", differing(column, reader));
    }

    private boolean shows(TypedColumn column, String reader, boolean meant) {
      for (Map.Entry<Long, Map<String, JsonNode>> row : answer(reader).rows().entrySet()) {
        long seq = row.getKey();
        boolean first = seq < firstRows;
        JsonNode wanted = meant ? column.meant(seq, first) : column.stored(seq, first);
        if (!wanted.equals(row.getValue().get(column.name()))) {
          return false;
        }
      }
      return true;
    }

    private Set<String> differing(TypedColumn column, String reader) {
      Set<String> differing = new LinkedHashSet<>();
      if (shows(column, reader, true) || shows(column, reader, false)) {
        return differing;
      }
      for (Map.Entry<Long, Map<String, JsonNode>> row : answer(reader).rows().entrySet()) {
        JsonNode meant = column.meant(row.getKey(), row.getKey() < firstRows);
        JsonNode seen = row.getValue().get(column.name());
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

  TypesTable(Table... tables) {
    this.tables = List.of(tables);
  }

  private String markdown(List<String> readers) {
    List<String> lines = new ArrayList<>();
    lines.add("| Avro | " + String.join(" | ", readers) + " |");
    lines.add("|---".repeat(readers.size() + 1) + "|");
    Set<String> shown = new HashSet<>();
    for (Table each : tables) {
      for (TypedColumn column : each.columns()) {
        if (!shown.add(column.label())) {
          continue;
        }
        StringBuilder line = new StringBuilder("| ").append(column.label()).append(" |");
        for (String reader : readers) {
          line.append(' ').append(each.cell(column, reader).replace("|", "\\|")).append(" |");
        }
        lines.add(line.toString());
      }
    }
    return String.join("\n", lines) + "\n";
  }

  /** Fails unless the document contains this table. */
  void assertInDocument(List<String> readers) throws IOException {
    String document = Files.readString(DOCUMENT);
    int begin = document.indexOf(BEGIN);
    int end = document.indexOf(END);
    assertThat(begin).as("%s has a line %s", DOCUMENT, BEGIN).isNotNegative();
    assertThat(end).as("%s has a line %s", DOCUMENT, END).isGreaterThan(begin);
    String written = document.substring(begin + BEGIN.length(), end);
    String seen = markdown(readers);
    if (Boolean.getBoolean(WRITE)) {
      String changed =
          document.substring(0, begin + BEGIN.length()) + seen + document.substring(end);
      Files.writeString(DOCUMENT, changed);
      return;
    }
    assertThat(written)
        .as("the table of types in %s; -D%s=true writes what the readers show", DOCUMENT, WRITE)
        .isEqualTo(seen);
  }
}
