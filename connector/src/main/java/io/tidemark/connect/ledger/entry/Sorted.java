package io.tidemark.connect.ledger.entry;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Copies of maps that stand in the text in the order of their keys. */
final class Sorted {
  private Sorted() {}

  static <K extends Comparable<K>, V> SortedMap<K, V> copyOf(Map<K, V> map) {
    return Collections.unmodifiableSortedMap(new TreeMap<>(map));
  }

  static <K extends Comparable<K>, V> SortedMap<K, V> none() {
    return Collections.emptySortedMap();
  }
}
