package io.tidemark.store.table;

import io.tidemark.store.StoragePath;

/** A table and its directory. Example: {@code default.quotes} in {@code /topics/quotes} */
public record TableRoot(TableName table, StoragePath root) {
  public TableLayout layout() {
    return new TableLayout(root);
  }
}
