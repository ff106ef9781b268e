package io.tidemark.demo;

import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What Hive must answer when every quote of a feed has landed exactly once. Has one owner. */
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

  /** The sum of the volumes of all quotes. */
  long volume() {
    return volume;
  }

  /** How many symbols there are. */
  long symbols() {
    return symbols.size();
  }

  /** Example: {@code dt=2026-11-20/hour=14} → 76923; in order. */
  Map<String, Long> recordsByHivePartition() {
    return Collections.unmodifiableMap(recordsByHivePartition);
  }
}
