package io.tidemark.connect.publish;

import io.tidemark.connect.table.DataFile;
import io.tidemark.connect.table.TableName;
import io.tidemark.connect.table.UnseenPartition;
import io.tidemark.connect.table.partition.HivePartition;
import io.tidemark.connect.time.MonotonicClock;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * When the catalog was asked for each Hive partition, and those that queries do not see. Files that
 * were published before a question are covered by its answer; files that came later are not,
 * because somebody may have dropped or moved their Hive partition meanwhile. The whole of a table
 * without Hive partitions counts as one. Safe for use by many threads; no call waits for anything.
 */
final class RegisteredPartitions {
  private static final int REMEMBERED = 10_000;

  /** A thousand topic-partitions of one table publish within seconds: one question serves many. */
  private static final long PAUSE_MS = 1_000;

  private final MonotonicClock clock;
  private final Map<TableName, OfTable> tables = new HashMap<>();

  RegisteredPartitions(MonotonicClock clock) {
    this.clock = clock;
  }

  /**
   * What is known of a table.
   *
   * @param turns when the newest question for a Hive partition began
   * @param askedMs when the newest question of all began, by the clock
   */
  private record OfTable(
      Map<HivePartition, Long> turns, Map<HivePartition, UnseenPartition> unseen, long askedMs) {

    boolean covers(HivePartition partition, long since) {
      return turns.getOrDefault(partition, Long.MIN_VALUE) > since;
    }
  }

  /**
   * The Hive partitions of files that the catalog may not have.
   *
   * @param since a turn after the files were published
   */
  synchronized Set<HivePartition> unsure(TableName table, List<DataFile> files, long since) {
    Optional<OfTable> of = Optional.ofNullable(tables.get(table));
    Set<HivePartition> unsure = new LinkedHashSet<>();
    for (DataFile file : files) {
      if (of.filter(known -> known.covers(file.hivePartition(), since)).isEmpty()) {
        unsure.add(file.hivePartition());
      }
    }
    return unsure;
  }

  /** How long to wait before the next question for a table, so that it covers more files. */
  synchronized long pauseMs(TableName table) {
    return Optional.ofNullable(tables.get(table))
        .map(of -> Math.max(0, of.askedMs() + PAUSE_MS - clock.millis()))
        .orElse(0L);
  }

  /**
   * Remembers a question that was answered.
   *
   * @param begun the turn at which it began
   * @param unseen those asked for that queries do not see
   */
  synchronized void asked(
      TableName table, Set<HivePartition> asked, long begun, Collection<UnseenPartition> unseen) {
    OfTable before = tables.getOrDefault(table, new OfTable(new HashMap<>(), new HashMap<>(), 0));
    OfTable of = new OfTable(before.turns(), before.unseen(), clock.millis());
    if (of.turns().size() + asked.size() > REMEMBERED) {
      of.turns().clear();
    }
    asked.forEach(partition -> of.turns().put(partition, begun));
    of.unseen().keySet().removeAll(asked);
    unseen.forEach(each -> of.unseen().put(each.partition(), each));
    tables.put(table, of);
  }

  /** The Hive partitions of registered files that queries do not see. */
  synchronized List<UnseenPartition> unseen(TableName table, List<DataFile> files) {
    return Optional.ofNullable(tables.get(table)).stream()
        .flatMap(
            of ->
                files.stream()
                    .map(DataFile::hivePartition)
                    .distinct()
                    .flatMap(each -> Optional.ofNullable(of.unseen().get(each)).stream()))
        .toList();
  }
}
