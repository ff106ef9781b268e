package io.tidemark.connect.staging;

import io.tidemark.connect.staging.Routing.FieldValues;
import io.tidemark.store.table.Table;

/** The destination of the records of one writer schema. */
public sealed interface Route {

  record ToTable(Table table) implements Route {}

  record ByField(FieldValues values) implements Route {}

  /**
   * No rule matches the records.
   *
   * @param reason problem, cause and cure as sentences
   * @param deadLetters whether the records become dead letters; otherwise the topic is refused
   */
  record Nowhere(String reason, boolean deadLetters) implements Route {}
}
