package io.tidemark.connect.table;

import io.tidemark.connect.storage.StoragePath;

/**
 * A table and the directory of its files. Example: {@code default.quotes} in {@code /topics/quotes}
 */
public record TableRoot(TableName table, StoragePath root) {}
