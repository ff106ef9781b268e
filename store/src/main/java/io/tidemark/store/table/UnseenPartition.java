package io.tidemark.store.table;

import io.tidemark.store.PrintableText;
import io.tidemark.store.partition.HivePartition;
import java.util.Optional;

/**
 * A Hive partition whose files are invisible to queries of its table. Its existing location is
 * empty if the catalog lacks it: it was dropped, or the catalog equates its name with another one.
 */
public record UnseenPartition(
    TableName table,
    HivePartition partition,
    String location,
    Optional<String> existing,
    Optional<HivePartition> equated) {

  public String problem() {
    String files = PrintableText.line(location);
    return existing
        .map(
            place ->
                "the Hive partition %s has the location %s, but its new files are in %s, where queries do not look. Move the files and set the location of the Hive partition, or drop it (the files stay, unless the table has external.table.purge)."
                    .formatted(partition, PrintableText.line(place), files))
        .or(
            () ->
                equated.map(
                    other ->
                        "Hive cannot have the Hive partition \"%s\" besides \"%s\": the Metastore's database equates the two. So queries do not see the files in %s. Do not drop it in Hive, which would drop the other one. Correct the producer, move the files to the directory of the other one, and acknowledge the hold."
                            .formatted(partition, other, files)))
        .orElseGet(
            () ->
                "Hive does not see the files in %s. Either the Hive partition was dropped meanwhile: restart the connector, which registers it again. Or the Metastore's database equates its values with others that differ only in trailing spaces, capital letters or accents: then do not drop it in Hive, but correct the producer."
                    .formatted(files));
  }

  @Override
  public String toString() {
    return table + ": " + problem();
  }
}
