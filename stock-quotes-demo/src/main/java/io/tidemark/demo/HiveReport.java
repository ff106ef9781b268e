package io.tidemark.demo;

import io.tidemark.stack.HiveServer;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
   * Runs all queries and returns the number of rows of the table.
   *
   * @throws DemoFailedException at the first result that differs from the records sent
   */
  long check() throws SQLException {
    long count = number(query("SELECT count(*) FROM " + table).get(0).get(0));
    screen.line("%,d", count);
    expect("count(*)", sent.records(), count);
    checkHivePartitions();
    checkAggregate();
    return count;
  }

  private void checkHivePartitions() throws SQLException {
    Map<String, Long> counts = new TreeMap<>();
    for (List<@Nullable Object> row :
        query("SELECT dt, hour, count(*) FROM " + table + " GROUP BY dt, hour")) {
      counts.put("dt=" + row.get(0) + "/hour=" + row.get(1), number(row.get(2)));
    }
    counts.forEach((hivePartition, count) -> screen.line("%s  %,9d", hivePartition, count));
    expect("the counts by Hive partition", sent.recordsByHivePartition(), counts);
  }

  private void checkAggregate() throws SQLException {
    List<@Nullable Object> row =
        query("SELECT sum(volume), count(DISTINCT symbol) FROM " + table).get(0);
    screen.line("%,d shares of %d symbols", number(row.get(0)), number(row.get(1)));
    expect("sum(volume)", sent.volume(), number(row.get(0)));
    expect("count(DISTINCT symbol)", sent.symbols(), number(row.get(1)));
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
