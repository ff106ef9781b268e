package io.tidemark.connect.table.schema;

/**
 * A column of a Hive table.
 *
 * @param name in lower case
 * @param type as Hive writes it. Example: {@code array<struct<a:int,b:string>>}
 */
public record HiveColumn(String name, String type) {}
