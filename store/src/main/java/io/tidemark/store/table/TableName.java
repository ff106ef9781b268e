package io.tidemark.store.table;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.tidemark.store.PrintableText;
import java.util.Locale;

/** A Hive table. Example: {@code default.stock_quotes}. */
public record TableName(String database, String table) {

  /** Hive's limit for the name of a table, and of its SerDe, which has the same name. */
  private static final int MAX_CHARS = 128;

  /**
   * Returns a table of chosen names. Each character that Hive does not allow becomes {@code _}. A
   * name that is too long is cut and ends in a hash.
   */
  public static TableName of(String database, String table) {
    return new TableName(inHive(database), inHive(table));
  }

  private static String inHive(String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException("a database or table name is empty");
    }
    String allowed = name.replaceAll("[^A-Za-z0-9_]", "_").toLowerCase(Locale.ROOT);
    if (allowed.length() <= MAX_CHARS) {
      return allowed;
    }
    String end = "_" + TableLayout.hash(name);
    return allowed.substring(0, MAX_CHARS - end.length()) + end;
  }

  @JsonCreator
  public static TableName parse(String text) {
    int dot = text.indexOf('.');
    if (dot <= 0 || dot == text.length() - 1) {
      throw new IllegalArgumentException(
          "\"%s\" is not of the form database.table".formatted(PrintableText.of(text)));
    }
    return new TableName(text.substring(0, dot), text.substring(dot + 1));
  }

  @Override
  @JsonValue
  public String toString() {
    return database + "." + table;
  }
}
