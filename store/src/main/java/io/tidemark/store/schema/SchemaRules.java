package io.tidemark.store.schema;

/**
 * What a table does with records of another schema than its own.
 *
 * @param deadLetters whether records are dead letters if the table cannot accept their schema
 */
public record SchemaRules(SchemaCompatibility permitted, boolean deadLetters) {
  public static final SchemaRules DEFAULT = new SchemaRules(SchemaCompatibility.NONE, false);
}
