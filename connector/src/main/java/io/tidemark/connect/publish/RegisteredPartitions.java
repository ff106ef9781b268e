package io.tidemark.connect.publish;

import io.tidemark.connect.table.DataFile;
import io.tidemark.connect.table.TableName;
import io.tidemark.connect.table.UnseenPartition;
import io.tidemark.connect.table.partition.HivePartition;
import io.tidemark.connect.time.MonotonicClock;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The Hive partitions that the catalog was asked to add within the last hour, and those of them
 * that queries do not see. Not thread-safe.
 */
final class RegisteredPartitions {
  private static final int REMEMBERED = 10_000;

  // Somebody may drop a Hive partition for which late records still come: their files would lie
  // where queries do not look.
  private static final long REMEMBERED_MS = 3_600_000;

  private final MonotonicClock clock;
  private final Map<TableName, OfTable> tables = new HashMap<>();
  private long forgetAtMs;

  RegisteredPartitions(MonotonicClock clock) {
    this.clock = clock;
  }

  private record OfTable(Set<HivePartition> known, Map<HivePartition, UnseenPartition> unseen) {}

  /** Whether the catalog was asked about a table within the last hour. */
  boolean knows(TableName table) {
    forgetWhatIsOld();
    return tables.containsKey(table);
  }

  private void forgetWhatIsOld() {
    if (clock.millis() >= forgetAtMs) {
      tables.clear();
      forgetAtMs = clock.millis() + REMEMBERED_MS;
    }
  }

  /** The Hive partitions of files that the catalog may not have. */
  Set<HivePartition> missing(TableName table, List<DataFile> files) {
    forgetWhatIsOld();
    Set<HivePartition> known = of(table).known();
    Set<HivePartition> missing = new LinkedHashSet<>();
    for (DataFile file : files) {
      if (!file.hivePartition().columns().isEmpty() && !known.contains(file.hivePartition())) {
        missing.add(file.hivePartition());
      }
    }
    return missing;
  }

  /** Remembers Hive partitions that were added, and those of them that queries do not see. */
  void add(TableName table, Set<HivePartition> added, Collection<UnseenPartition> unseen) {
    OfTable of = of(table);
    if (of.known().size() + added.size() > REMEMBERED) {
      of.known().clear();
    }
    of.known().addAll(added);
    of.unseen().keySet().removeAll(added);
    unseen.forEach(each -> of.unseen().put(each.partition(), each));
  }

  /** The Hive partitions of registered files that queries do not see. */
  List<UnseenPartition> unseen(TableName table, List<DataFile> files) {
    Map<HivePartition, UnseenPartition> unseen = of(table).unseen();
    return files.stream()
        .map(DataFile::hivePartition)
        .distinct()
        .flatMap(partition -> Optional.ofNullable(unseen.get(partition)).stream())
        .toList();
  }

  private OfTable of(TableName table) {
    return tables.computeIfAbsent(table, each -> new OfTable(new HashSet<>(), new HashMap<>()));
  }
}
