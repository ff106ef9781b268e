package io.tidemark.registry.cache;

/**
 * How much a cache keeps, and for how long.
 *
 * @param maxEntries schemas and "not found" answers together; at least 1
 * @param notFoundTtlMs how long a "not found" is believed, so that a schema registered late is seen
 *     without a restart; 0 asks every time. A schema is kept without limit, as an id never changes
 *     its meaning.
 */
public record CacheSettings(int maxEntries, int notFoundTtlMs) {
  /** A thousand entries; "not found" for 30 seconds. */
  public static final CacheSettings DEFAULT = new CacheSettings(1_000, 30_000);

  public CacheSettings {
    if (maxEntries < 1) {
      throw new IllegalArgumentException("maxEntries must be at least 1: " + maxEntries);
    }
    if (notFoundTtlMs < 0) {
      throw new IllegalArgumentException("notFoundTtlMs must be at least 0: " + notFoundTtlMs);
    }
  }
}
