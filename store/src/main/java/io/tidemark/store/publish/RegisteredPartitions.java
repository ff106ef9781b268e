package io.tidemark.store.publish;

import io.tidemark.store.MonotonicClock;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.TableRoot;
import io.tidemark.store.table.UnseenPartition;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Cache of the last catalog request for each Hive partition, and of the Hive partitions that
 * queries do not see. A response applies to files that were published before the request. It does
 * not apply to later files, because a user may have dropped or moved their Hive partition
 * meanwhile. {@link Registrar#tick Ticks} order publications and requests. An unpartitioned table
 * counts as one Hive partition. Thread-safe; no call waits.
 */
final class RegisteredPartitions {
  private static final int REMEMBERED = 10_000;

  /** The tick of a Hive partition for which the catalog has not responded. */
  private static final long NEVER = Long.MIN_VALUE;

  /** Pause between requests, so that one request serves many topic-partitions of a table. */
  private static final long PAUSE_MS = 1_000;

  /** Pause for each millisecond of requests: a task uses a tenth of its time for checks. */
  private static final long PAUSE_PER_MS_OF_REQUESTS = 9;

  /** Longest pause of a table and of a batch, whatever the requests for other tables cost. */
  static final long LONGEST_PAUSE_MS = 10_000;

  private final MonotonicClock clock;
  private final Map<TableRoot, OfTable> tables = new HashMap<>();

  /** When the pauses for all requests so far end, in milliseconds of the monotonic clock. */
  private long idleUntilMs = Long.MIN_VALUE;

  RegisteredPartitions(MonotonicClock clock) {
    this.clock = clock;
  }

  /**
   * The cached responses for a table. The newest request for a Hive partition began at its tick.
   *
   * @param askedMs when the catalog responded to the newest request
   * @param complete whether {@code ticks} has all Hive partitions for which the catalog was asked
   */
  private record OfTable(
      Map<HivePartition, Long> ticks,
      Map<HivePartition, UnseenPartition> unseen,
      long askedMs,
      boolean complete) {

    boolean covers(HivePartition partition, long since) {
      return ticks.getOrDefault(partition, NEVER) > since;
    }
  }

  /** Returns the Hive partitions that the catalog possibly lacks, for files published at a tick. */
  synchronized Set<HivePartition> unsure(TableRoot table, List<DataFile> files, long since) {
    Optional<OfTable> of = known(table);
    Set<HivePartition> unsure = hivePartitions(files);
    unsure.removeIf(each -> of.filter(known -> known.covers(each, since)).isPresent());
    return unsure;
  }

  private Optional<OfTable> known(TableRoot table) {
    return Optional.ofNullable(tables.get(table));
  }

  private static Set<HivePartition> hivePartitions(List<DataFile> files) {
    return files.stream()
        .map(DataFile::hivePartition)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Returns whether the catalog was asked for a Hive partition of each of these files before. */
  synchronized boolean knows(TableRoot table, List<DataFile> files) {
    return known(table).stream()
        .anyMatch(of -> files.stream().allMatch(file -> of.covers(file.hivePartition(), NEVER)));
  }

  /**
   * Returns those for which the catalog was never asked, after it was asked for others of the
   * table. A first request expects none: most Hive partitions exist when a task starts again.
   */
  synchronized Set<HivePartition> expectedMissing(TableRoot table, Set<HivePartition> partitions) {
    Optional<OfTable> of = known(table).filter(OfTable::complete);
    Set<HivePartition> missing = new LinkedHashSet<>(of.isPresent() ? partitions : Set.of());
    of.ifPresent(known -> missing.removeAll(known.ticks().keySet()));
    return missing;
  }

  /** Returns the milliseconds until a table's next request, or {@code check} of known ones. */
  synchronized long pauseMs(TableRoot table, boolean check) {
    Optional<OfTable> of = known(table);
    if (of.isEmpty()) {
      return 0;
    }
    long pauseEndMs = of.get().askedMs() + PAUSE_MS;
    if (check) {
      long longestMs = of.get().askedMs() + LONGEST_PAUSE_MS;
      pauseEndMs = Math.max(pauseEndMs, Math.min(idleUntilMs, longestMs));
    }
    return Math.max(0, pauseEndMs - clock.millis());
  }

  /** They remain {@link #unsure}, but are not expected as missing: they may be elsewhere. */
  synchronized void refused(TableRoot table, Set<HivePartition> asked) {
    known(table)
        .ifPresent(of -> asked.forEach(partition -> of.ticks().putIfAbsent(partition, NEVER)));
  }

  /** Adds the response to a request that began at a tick and took so many milliseconds. */
  synchronized void asked(
      TableRoot table,
      Set<HivePartition> asked,
      long begun,
      long tookMs,
      Collection<UnseenPartition> unseen) {
    OfTable before =
        tables.getOrDefault(table, new OfTable(new HashMap<>(), new HashMap<>(), 0, true));
    long nowMs = clock.millis();
    boolean full = before.ticks().size() + asked.size() > REMEMBERED;
    OfTable of = new OfTable(before.ticks(), before.unseen(), nowMs, before.complete() && !full);
    idleUntilMs =
        Math.min(
            Math.max(idleUntilMs, nowMs) + PAUSE_PER_MS_OF_REQUESTS * tookMs,
            nowMs + LONGEST_PAUSE_MS);
    if (full) {
      of.ticks().clear();
    }
    asked.forEach(partition -> of.ticks().put(partition, begun));
    of.unseen().keySet().removeAll(asked);
    unseen.forEach(each -> of.unseen().put(each.partition(), each));
    tables.put(table, of);
  }

  /** Returns the Hive partitions of registered files that queries do not see. */
  synchronized List<UnseenPartition> unseen(TableRoot table, List<DataFile> files) {
    return known(table).stream()
        .flatMap(
            of ->
                hivePartitions(files).stream()
                    .flatMap(each -> Optional.ofNullable(of.unseen().get(each)).stream()))
        .toList();
  }
}
