package io.tidemark.store.table;

import io.tidemark.store.PrintableText;
import io.tidemark.store.partition.HivePartition;
import java.util.Optional;

/**
 * A Hive partition whose files are invisible to queries of its table.
 *
 * @param existing the location in the catalog. Empty if the catalog has no Hive partition of this
 *     name: it was dropped meanwhile, or the catalog's database treats its name as equal to another
 *     name.
 */
public record UnseenPartition(
    TableName table, HivePartition partition, String location, Optional<String> existing) {

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
