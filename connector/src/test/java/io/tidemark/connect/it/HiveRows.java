package io.tidemark.connect.it;

import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.landed.RowKey;
import io.tidemark.connect.it.stack.Readings;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The rows of {@link Readings} that Hive finds, compared with the produced ones in each column. */
final class HiveRows {
  private static final DateTimeFormatter HIVE_TIMESTAMP =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

  private HiveRows() {}

  /** The first difference between the rows of these keys and those of a table in Hive. */
  static Optional<String> difference(LandedTable table, Collection<RowKey> keys) {
    List<String> produced =
        keys.stream()
            .map(
                key ->
                    "%s %s %s %s"
                        .formatted(
                            key,
                            HIVE_TIMESTAMP.format(Readings.taken(key.seq())),
                            Readings.celsius(key),
                            Readings.note(key)))
            .sorted()
            .toList();
    List<String> found =
        table
            .query(
                "SELECT source, seq, date_format(taken, 'yyyy-MM-dd HH:mm:ss'), celsius, note FROM "
                    + table.name())
            .stream()
            .map(
                row ->
                    "%s:%s %s %s %s"
                        .formatted(row.get(0), row.get(1), row.get(2), row.get(3), row.get(4)))
            .sorted()
            .toList();
    for (int i = 0; i < Math.min(produced.size(), found.size()); i++) {
      if (!produced.get(i).equals(found.get(i))) {
        return Optional.of("produced " + produced.get(i) + ", found " + found.get(i));
      }
    }
    return produced.size() == found.size()
        ? Optional.empty()
        : Optional.of("produced %d rows, found %d".formatted(produced.size(), found.size()));
  }
}
