package io.tidemark.completeness.ledger;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Copies of maps in the order of their keys, which is their order in the text. */
public final class Sorted {
  private Sorted() {}

  public static <K extends Comparable<K>, V> SortedMap<K, V> copyOf(Map<K, V> map) {
    return Collections.unmodifiableSortedMap(new TreeMap<>(map));
  }

  public static <K extends Comparable<K>, V> SortedMap<K, V> none() {
    return Collections.emptySortedMap();
  }
}
