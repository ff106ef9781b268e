package io.tidemark.benchmarks.articles;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A table of text, for the terminal and for Markdown. Its first column is aligned left, the others
 * right. Used by one thread.
 */
public final class Table {
  private final String title;
  private final List<String> head;
  private final List<List<String>> rows = new ArrayList<>();

  /** Creates an empty table. */
  public Table(String title, String... head) {
    this.title = title;
    this.head = List.of(head);
  }

  /** Adds a row. */
  public void row(String... cells) {
    if (cells.length != head.size()) {
      throw new IllegalArgumentException(
          "%s: %d cells in a table of %d columns".formatted(title, cells.length, head.size()));
    }
    rows.add(List.of(cells));
  }

  /** Formats a number. Examples: {@code 146,761} and {@code 4.7}. */
  public static String number(double value) {
    return String.format(Locale.ROOT, Math.abs(value) < 100 ? "%.1f" : "%,.0f", value);
  }

  /** Formats a number; empty if there is none. */
  public static String number(OptionalDouble value) {
    return value.isPresent() ? number(value.getAsDouble()) : "";
  }

  /** Formats the ratio of two values. Example: {@code 2.31}. */
  public static String ratio(double value, double of) {
    return String.format(Locale.ROOT, "%.2f", value / of);
  }

  /** Returns the table as text, with aligned columns. */
  public String text() {
    int[] widths = new int[head.size()];
    for (int column = 0; column < widths.length; column++) {
      widths[column] = head.get(column).length();
      for (List<String> row : rows) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    var text = new StringBuilder(title).append('\n');
    line(text, head, widths);
    rows.forEach(row -> line(text, row, widths));
    return text.toString();
  }

  private static void line(StringBuilder text, List<String> cells, int[] widths) {
    var line = new StringBuilder();
    for (int column = 0; column < widths.length; column++) {
      String padding = " ".repeat(widths[column] - cells.get(column).length());
      line.append("  ");
      line.append(column == 0 ? cells.get(column) + padding : padding + cells.get(column));
    }
    text.append(line.toString().stripTrailing()).append('\n');
  }

  /** Returns the table in Markdown, with its title. */
  public String markdown() {
    var text = new StringBuilder("## ").append(title).append("\n\n");
    text.append("| ").append(String.join(" | ", head)).append(" |\n");
    text.append('|').append("---|");
    text.append("--:|".repeat(head.size() - 1)).append('\n');
    for (List<String> row : rows) {
      text.append("| ").append(String.join(" | ", row)).append(" |\n");
    }
    return text.toString();
  }
}
