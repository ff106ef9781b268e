package io.tidemark.demo;

import io.tidemark.stack.HiveServer;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Compares HiveServer2's query results on the table with the records sent. */
final class HiveReport {

  private final HiveServer hive;
  private final String table;
  private final Tally sent;
  private final Screen screen;

  HiveReport(HiveServer hive, String table, Tally sent, Screen screen) {
    this.hive = hive;
    this.table = table;
    this.sent = sent;
    this.screen = screen;
  }

  /**
   * Compares the rows of each Hive partition and of the table, in one query, and returns the number
   * of rows of the table.
   *
   * @throws DemoFailedException at the first result that differs from the records sent
   */
  long check() throws SQLException {
    Map<String, Long> counts = new TreeMap<>();
    Optional<List<@Nullable Object>> total = Optional.empty();
    for (List<@Nullable Object> row :
        query(
            "SELECT dt, hour, count(*), sum(volume), count(DISTINCT symbol) FROM "
                + table
                + " GROUP BY dt, hour GROUPING SETS ((dt, hour), ())")) {
      if (row.get(0) == null) {
        total = Optional.of(row);
      } else {
        counts.put("dt=" + row.get(0) + "/hour=" + row.get(1), number(row.get(2)));
      }
    }
    counts.forEach((hivePartition, count) -> screen.line("%s  %,9d", hivePartition, count));
    List<@Nullable Object> all =
        total.orElseThrow(() -> new DemoFailedException(table + ": Hive returns no total"));
    long count = number(all.get(2));
    screen.line(
        "all hours              %,9d  with %,d shares of %d symbols",
        count, number(all.get(3)), number(all.get(4)));
    expect("the counts by Hive partition", sent.recordsByHivePartition(), counts);
    expect("count(*)", sent.records(), count);
    expect("sum(volume)", sent.volume(), number(all.get(3)));
    expect("count(DISTINCT symbol)", sent.symbols(), number(all.get(4)));
    return count;
  }

  private List<List<@Nullable Object>> query(String sql) throws SQLException {
    screen.line("> %s", sql);
    long start = System.nanoTime();
    List<List<@Nullable Object>> rows = hive.query(sql);
    screen.line("  answered in %.1f s", (System.nanoTime() - start) / 1e9);
    return rows;
  }

  private static long number(@Nullable Object cell) {
    return ((Number) Objects.requireNonNull(cell)).longValue();
  }

  private void expect(String what, Object sentValue, Object hiveValue) {
    if (!sentValue.equals(hiveValue)) {
      throw new DemoFailedException(
          "%s of %s is %s, but %s was sent".formatted(what, table, hiveValue, sentValue));
    }
  }
}
