package io.tidemark.registry.cache;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * How much a cache keeps, and for how long.
 *
 * @param maxEntries schemas and "not found" answers together; at least 1
 * @param maxBytes what the schemas may weigh, as the characters of their texts; at least 1. A
 *     single schema that weighs more is kept alone
 * @param notFoundTtlMs how long a "not found" is believed, so that a schema registered late is seen
 *     without a restart; 0 asks every time. A schema is kept without limit.
 * @param latestTtlMs how long the newest schema of a subject is believed to be the newest; 0 asks
 *     every time
 * @param confirmMs how often a schema in memory is asked for again, in the background, as an id may
 *     get another meaning when its registry is wiped; 0 for never
 * @param copy the file in which the schemas are kept over restarts; empty for none
 */
public record CacheSettings(
    int maxEntries,
    long maxBytes,
    int notFoundTtlMs,
    int latestTtlMs,
    int confirmMs,
    Optional<Path> copy) {
  /**
   * A thousand entries, 64 MiB of schemas; "not found" for 30 seconds, the newest schema for 5
   * minutes; schemas confirmed every 10 minutes; no copy.
   */
  public static final CacheSettings DEFAULT =
      new CacheSettings(1_000, 64L << 20, 30_000, 300_000, 600_000, Optional.empty());

  public CacheSettings {
    atLeast(1, "maxEntries", maxEntries);
    atLeast(1, "maxBytes", maxBytes);
    atLeast(0, "notFoundTtlMs", notFoundTtlMs);
    atLeast(0, "latestTtlMs", latestTtlMs);
    atLeast(0, "confirmMs", confirmMs);
    Objects.requireNonNull(copy, "copy");
  }

  /** The defaults but for the number of entries and the life of a "not found". */
  public CacheSettings(int maxEntries, int notFoundTtlMs) {
    this(
        maxEntries,
        DEFAULT.maxBytes(),
        notFoundTtlMs,
        DEFAULT.latestTtlMs(),
        DEFAULT.confirmMs(),
        Optional.empty());
  }

  private static void atLeast(long least, String name, long value) {
    if (value < least) {
      throw new IllegalArgumentException(name + " must be at least " + least + ": " + value);
    }
  }
}
