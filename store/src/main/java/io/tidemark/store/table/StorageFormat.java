package io.tidemark.store.table;

/**
 * The classes with which Hive reads the files of a table, as in a table definition.
 *
 * @param outputFormat would write files; Hive requires it
 * @param schemaParameter the table parameter that contains the schema's JSON
 */
public record StorageFormat(
    String serde, String inputFormat, String outputFormat, String schemaParameter) {}
