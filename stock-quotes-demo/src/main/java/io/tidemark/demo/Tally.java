package io.tidemark.demo;

import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The query results that Hive must return if every quote has landed exactly once. Used by one
 * thread.
 */
final class Tally {

  private final Set<String> symbols = new HashSet<>();
  private final Map<String, Long> recordsByHivePartition = new TreeMap<>();
  private long records;
  private long volume;

  void add(StockQuote quote) {
    records++;
    volume += quote.volume();
    symbols.add(quote.symbol());
    recordsByHivePartition.merge(quote.hivePartition(), 1L, Long::sum);
  }

  long records() {
    return records;
  }

  /** Returns the sum of the volumes of all quotes. */
  long volume() {
    return volume;
  }

  /** Returns the number of symbols. */
  long symbols() {
    return symbols.size();
  }

  /**
   * Returns the number of records by path, sorted. Example: {@code dt=2026-11-20/hour=14} → 76923.
   */
  Map<String, Long> recordsByHivePartition() {
    return Collections.unmodifiableMap(recordsByHivePartition);
  }
}
