package io.tidemark.connect.table;

/**
 * How Hive reads the files of a table: the classes that a table definition names.
 *
 * @param serde the class that makes rows of records
 * @param inputFormat the class that reads files
 * @param outputFormat the class that would write files, which Hive asks for
 * @param schemaParameter the table parameter that holds the schema's JSON
 */
public record StorageFormat(
    String serde, String inputFormat, String outputFormat, String schemaParameter) {}
