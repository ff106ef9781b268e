package io.tidemark.store.schema;

/** Name in lower case, and type. Example of a type: {@code array<struct<a:int,b:string>>}. */
public record HiveColumn(String name, String type) {}
