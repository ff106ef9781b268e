package io.tidemark.connect.staging;

import io.tidemark.store.MonotonicClock;
import io.tidemark.store.Storage;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.HiveDirectories;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;

/**
 * Limits the new Hive partitions of a table in 24 hours, so that a field with a value for each
 * record does not flood the name node and the Metastore. Tasks and restarts share the limit: after
 * each hundredth of it, a task reads the times of the table's directories. Thread-safe.
 */
public final class HivePartitionLimit {
  private static final long DAY_MS = 86_400_000;
  private static final long BETWEEN_LOOKS_MS = 60_000;

  private final int most;
  private final Storage storage;
  private final MonotonicClock clock;

  /** The wall clock, at the monotonic clock's time 0. */
  private final long beginMs;

  private final Map<TableName, Changed> tables = new HashMap<>();

  /** The Hive partitions of a table that changed, with the times. */
  private static final class Changed {
    final Map<HivePartition, Long> atMs = new HashMap<>();
    int sinceLook;
    long lookedAtMs;
  }

  /** {@code most} is the maximum for a table; 0 means without a limit. */
  public HivePartitionLimit(int most, Storage storage, MonotonicClock clock, Clock wall) {
    this.most = most;
    this.storage = storage;
    this.clock = clock;
    this.beginMs = wall.instant().toEpochMilli() - clock.millis();
  }

  /** Returns whether files may be added to a Hive partition: it exists, or may be created. */
  synchronized boolean admits(Destination destination) {
    HivePartition partition = destination.partition();
    if (most == 0 || partition.columns().isEmpty()) {
      return true;
    }
    Changed changed = tables.computeIfAbsent(destination.table().name(), table -> new Changed());
    if (changed.atMs.containsKey(partition)) {
      return true;
    }
    TableLayout layout = destination.table().layout();
    long now = beginMs + clock.millis();
    try {
      if (changed.sinceLook >= Math.max(1, most / 100)
          || (changed.atMs.size() >= most && now - changed.lookedAtMs >= BETWEEN_LOOKS_MS)) {
        changed.atMs.values().removeIf(ms -> ms <= now - DAY_MS);
        changed.atMs.putAll(
            new HiveDirectories(storage, layout).changedAfter(now - DAY_MS, partition.columns()));
        changed.sinceLook = 0;
        changed.lookedAtMs = now;
      }
      if (changed.atMs.size() < most) {
        changed.atMs.put(partition, now);
        changed.sinceLook++;
        return true;
      }
      return storage.find(layout.partitionDirectory(partition)).isPresent();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String reason(Destination destination) {
    return "it would create the Hive partition %s of the table %s, of which %d others changed in 24 hours (hive.partitions.per.day.max). Probably a field of partition.field.name has a new value in each record. Choose another field, in a table of another directory; or raise the limit. Otherwise the topic continues within 24 hours."
        .formatted(destination.partition(), destination.table().name(), most);
  }
}
