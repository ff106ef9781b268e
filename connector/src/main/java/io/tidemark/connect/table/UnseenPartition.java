package io.tidemark.connect.table;

import io.tidemark.connect.table.partition.HivePartition;
import io.tidemark.connect.text.PrintableText;
import java.util.Optional;

/**
 * A Hive partition whose files queries of its table do not see.
 *
 * @param location where its files lie. Example: {@code hdfs://namenode:8020/topics/quotes/dt=2026}
 * @param standing where the catalog has the Hive partition; empty where the catalog has none of
 *     this name: it was dropped meanwhile, or the catalog's database takes it for another one
 */
public record UnseenPartition(
    TableName table, HivePartition partition, String location, Optional<String> standing) {

  /** What is wrong, and what to do. */
  @Override
  public String toString() {
    return standing
        .map(
            place ->
                ("%s: the Hive partition %s lies in %s, and its new files in %s, where queries do"
                        + " not look. Move the files and set the location of the Hive partition, or"
                        + " drop it (the files stay, unless the table has external.table.purge).")
                    .formatted(
                        table, partition, PrintableText.line(place), PrintableText.line(location)))
        .orElseGet(
            () ->
                "%s: Hive does not see the files in %s: the Hive partition was dropped meanwhile, or the Metastore's database takes it for another one, whose values differ only in spaces at the end or in capital letters. Correct the producer."
                    .formatted(table, PrintableText.line(location)));
  }
}
