package io.tidemark.store.schema;

/**
 * A column of a Hive table.
 *
 * @param name the name in lower case
 * @param type the type in Hive's notation. Example: {@code array<struct<a:int,b:string>>}
 */
public record HiveColumn(String name, String type) {}
