package io.tidemark.store.table;

/**
 * The classes with which Hive reads the files of a table, as in a table definition.
 *
 * @param serde the class that turns records into rows
 * @param inputFormat the class that reads files
 * @param outputFormat the class that would write files, which Hive requires
 * @param schemaParameter the table parameter that contains the schema's JSON
 */
public record StorageFormat(
    String serde, String inputFormat, String outputFormat, String schemaParameter) {}
