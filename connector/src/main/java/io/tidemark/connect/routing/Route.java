package io.tidemark.connect.routing;

import io.tidemark.connect.table.Table;

/** Where the records of one writer schema go. */
public sealed interface Route {

  /** All go to one table. */
  record ToTable(Table table) implements Route {}

  /** Each goes by the value of a field. */
  record ByField(FieldValues values) implements Route {}

  /**
   * No rule takes them.
   *
   * @param reason problem, cause and cure as sentences
   * @param deadLetters whether they are dead letters; else the topic is refused
   */
  record Nowhere(String reason, boolean deadLetters) implements Route {}
}
