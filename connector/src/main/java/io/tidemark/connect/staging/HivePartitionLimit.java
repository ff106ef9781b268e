package io.tidemark.connect.staging;

import io.tidemark.store.MonotonicClock;
import io.tidemark.store.Storage;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Limits the new Hive partitions of a table that a task creates in 24 hours, so that a field with a
 * value for each record does not flood the name node and the Metastore. Thread-safe.
 */
public final class HivePartitionLimit {
  private static final long DAY_MS = 86_400_000;

  private final int most;
  private final Storage storage;
  private final MonotonicClock clock;
  private final Map<TableName, Set<HivePartition>> written = new HashMap<>();
  private long sinceMs;

  /** {@code most} is the maximum of one task for a table; 0 means without a limit. */
  public HivePartitionLimit(int most, Storage storage, MonotonicClock clock) {
    this.most = most;
    this.storage = storage;
    this.clock = clock;
    this.sinceMs = clock.millis();
  }

  /** Returns whether files may be added to a Hive partition: it exists, or may be created. */
  synchronized boolean admits(Destination destination) {
    HivePartition partition = destination.partition();
    if (most == 0 || partition.columns().isEmpty()) {
      return true;
    }
    if (clock.millis() - sinceMs >= DAY_MS) {
      written.clear();
      sinceMs = clock.millis();
    }
    Set<HivePartition> ofTable =
        written.computeIfAbsent(destination.table().name(), table -> new HashSet<>());
    if (ofTable.contains(partition) || (ofTable.size() < most && ofTable.add(partition))) {
      return true;
    }
    try {
      return storage.find(destination.table().layout().partitionDirectory(partition)).isPresent();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String reason(Destination destination) {
    return "it would create the Hive partition %s of the table %s, and the task has written to %d others in 24 hours (hive.partitions.per.day.max). Probably a field of partition.field.name has a new value in each record. Choose another field, in a table of another directory; or raise the limit. Otherwise the topic continues within 24 hours."
        .formatted(destination.partition(), destination.table().name(), most);
  }
}
