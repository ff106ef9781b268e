package io.tidemark.store.schema;

/**
 * Name in lower case, and type. Example of a type: {@code array<struct<a:int,b:string>>}. The
 * comment is the {@code doc} of the field; empty if it has none.
 */
public record HiveColumn(String name, String type, String comment) {}
