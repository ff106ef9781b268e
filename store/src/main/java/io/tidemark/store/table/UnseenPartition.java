package io.tidemark.store.table;

import io.tidemark.store.PrintableText;
import io.tidemark.store.partition.HivePartition;
import java.util.Optional;

/**
 * A Hive partition whose files are invisible to queries of its table.
 *
 * @param location the directory of the Hive partition's files. Example: {@code
 *     hdfs://namenode:8020/topics/quotes/dt=2026}
 * @param existing the location of the Hive partition in the catalog. Empty if the catalog has no
 *     Hive partition of this name: the Hive partition was dropped meanwhile, or the catalog's
 *     database treats its name as equal to another name.
 */
public record UnseenPartition(
    TableName table, HivePartition partition, String location, Optional<String> existing) {

  /** Describes the problem and the cure. */
  @Override
  public String toString() {
    return existing
        .map(
            place ->
                ("%s: the Hive partition %s has the location %s, but its new files are in %s, where queries do"
                        + " not look. Move the files and set the location of the Hive partition, or"
                        + " drop it (the files stay, unless the table has external.table.purge).")
                    .formatted(
                        table, partition, PrintableText.line(place), PrintableText.line(location)))
        .orElseGet(
            () ->
                "%s: Hive does not see the files in %s. Either the Hive partition was dropped meanwhile, or the Metastore's database equates its values with others that differ only in trailing spaces or capital letters. In the second case, correct the producer."
                    .formatted(table, PrintableText.line(location)));
  }
}
