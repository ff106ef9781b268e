package io.tidemark.registry.cache;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * The limits of a cache.
 *
 * @param maxEntries maximum number of schemas and "not found" responses together; at least 1
 * @param maxBytes maximum heap of the schemas in bytes, as estimated from their texts; at least 1.
 *     A schema that is larger than {@code maxBytes} is cached alone
 * @param notFoundTtlMs how long "not found" is cached, so that a schema that is registered late is
 *     found without a restart; 0: not cached. Schemas are cached without a time limit
 * @param latestTtlMs how long the newest schema of a subject is cached; 0: not cached
 * @param confirmMs interval at which cached schemas are compared with the registry in the
 *     background, because a registry that was wiped can assign an id again; 0: never
 * @param copy the cache file, in which schemas are kept for the next start; empty: none
 * @param maxSchemaBytes maximum size of a schema's text in the cache file, in bytes of UTF-8; at
 *     least 1. A larger one is not used, so the registry's client decides on it
 */
public record CacheSettings(
    int maxEntries,
    long maxBytes,
    int notFoundTtlMs,
    int latestTtlMs,
    int confirmMs,
    Optional<Path> copy,
    int maxSchemaBytes) {
  /**
   * The defaults: 1,000 entries, 64 MiB of schemas; "not found" for 30 s, the newest schema for 5
   * minutes; schemas confirmed every 10 minutes; no file; texts of 1 MiB.
   */
  public static final CacheSettings DEFAULT =
      new CacheSettings(1_000, 64L << 20, 30_000, 300_000, 600_000, Optional.empty(), 1 << 20);

  public CacheSettings {
    atLeast(1, "maxEntries", maxEntries);
    atLeast(1, "maxBytes", maxBytes);
    atLeast(0, "notFoundTtlMs", notFoundTtlMs);
    atLeast(0, "latestTtlMs", latestTtlMs);
    atLeast(0, "confirmMs", confirmMs);
    Objects.requireNonNull(copy, "copy");
    atLeast(1, "maxSchemaBytes", maxSchemaBytes);
  }

  /** Creates settings with defaults for all other limits. */
  public CacheSettings(int maxEntries, int notFoundTtlMs) {
    this(
        maxEntries,
        DEFAULT.maxBytes(),
        notFoundTtlMs,
        DEFAULT.latestTtlMs(),
        DEFAULT.confirmMs(),
        Optional.empty(),
        DEFAULT.maxSchemaBytes());
  }

  private static void atLeast(long least, String name, long value) {
    if (value < least) {
      throw new IllegalArgumentException(name + " must be at least " + least + ": " + value);
    }
  }
}
