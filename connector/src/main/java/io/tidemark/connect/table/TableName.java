package io.tidemark.connect.table;

/** A Hive table. Example: {@code default.stock_quotes}. */
public record TableName(String database, String table) {

  @Override
  public String toString() {
    return database + "." + table;
  }
}
