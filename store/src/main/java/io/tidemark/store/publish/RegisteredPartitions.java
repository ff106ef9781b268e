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

/**
 * Cache of the last catalog request for each Hive partition, and of the Hive partitions that
 * queries do not see. A response applies to files that were published before the request. It does
 * not apply to later files, because a user may have dropped or moved their Hive partition
 * meanwhile. {@link Registrar#turn Turns} order publications and requests. An unpartitioned table
 * counts as one Hive partition. Thread-safe; no call waits.
 */
final class RegisteredPartitions {
  private static final int REMEMBERED = 10_000;

  /** The turn of a Hive partition for which the catalog has not responded. */
  private static final long NEVER = Long.MIN_VALUE;

  /** Pause between requests, so that one request serves many topic-partitions of a table. */
  private static final long PAUSE_MS = 1_000;

  /**
   * Pause for each millisecond of requests, so that many tables do not keep the catalog busy: a
   * task uses a tenth of its time for checks of Hive partitions that it has registered before.
   */
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
   * The cached responses for a table.
   *
   * @param turns the turn at which the newest request for a Hive partition began
   * @param unseen the Hive partitions that queries do not see
   * @param askedMs when the catalog responded to the newest request, in milliseconds of the
   *     monotonic clock
   * @param complete whether {@code turns} has all Hive partitions for which the catalog was asked
   */
  private record OfTable(
      Map<HivePartition, Long> turns,
      Map<HivePartition, UnseenPartition> unseen,
      long askedMs,
      boolean complete) {

    boolean covers(HivePartition partition, long since) {
      return turns.getOrDefault(partition, NEVER) > since;
    }
  }

  /**
   * Returns the Hive partitions of files that the catalog possibly does not have.
   *
   * @param since a turn that was taken after the files were published
   */
  synchronized Set<HivePartition> unsure(TableRoot table, List<DataFile> files, long since) {
    Optional<OfTable> of = Optional.ofNullable(tables.get(table));
    Set<HivePartition> unsure = new LinkedHashSet<>();
    for (DataFile file : files) {
      if (of.filter(known -> known.covers(file.hivePartition(), since)).isEmpty()) {
        unsure.add(file.hivePartition());
      }
    }
    return unsure;
  }

  /** Returns whether the catalog was asked for a Hive partition of each of these files before. */
  synchronized boolean knows(TableRoot table, List<DataFile> files) {
    return Optional.ofNullable(tables.get(table)).stream()
        .anyMatch(of -> files.stream().allMatch(file -> of.covers(file.hivePartition(), NEVER)));
  }

  /**
   * Returns the Hive partitions that the catalog probably lacks: those for which it was never
   * asked, after it was asked for others of the table. A task's first request for a table expects
   * none, because most Hive partitions exist when a task starts again. A table with very many Hive
   * partitions expects none, because some requests are forgotten.
   */
  synchronized Set<HivePartition> expectedMissing(TableRoot table, Set<HivePartition> partitions) {
    Optional<OfTable> of = Optional.ofNullable(tables.get(table)).filter(OfTable::complete);
    if (of.isEmpty()) {
      return Set.of();
    }
    Set<HivePartition> missing = new LinkedHashSet<>(partitions);
    missing.removeAll(of.get().turns().keySet());
    return missing;
  }

  /**
   * Returns the milliseconds until a table's next request, so that it covers more files.
   *
   * @param check whether the request only checks Hive partitions that are {@link #knows known}
   */
  synchronized long pauseMs(TableRoot table, boolean check) {
    Optional<OfTable> of = Optional.ofNullable(tables.get(table));
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

  /**
   * Adds a request that was refused. The Hive partitions remain {@link #unsure}, but the next
   * request does not expect that they are missing: the refusal may be that they are elsewhere.
   */
  synchronized void refused(TableRoot table, Set<HivePartition> asked) {
    Optional.ofNullable(tables.get(table))
        .ifPresent(of -> asked.forEach(partition -> of.turns().putIfAbsent(partition, NEVER)));
  }

  /**
   * Adds the response to a request.
   *
   * @param asked the requested Hive partitions
   * @param begun the turn at which the request began
   * @param tookMs the duration of the request, in milliseconds
   * @param unseen the requested Hive partitions that queries do not see
   */
  synchronized void asked(
      TableRoot table,
      Set<HivePartition> asked,
      long begun,
      long tookMs,
      Collection<UnseenPartition> unseen) {
    OfTable before =
        tables.getOrDefault(table, new OfTable(new HashMap<>(), new HashMap<>(), 0, true));
    long nowMs = clock.millis();
    boolean full = before.turns().size() + asked.size() > REMEMBERED;
    OfTable of = new OfTable(before.turns(), before.unseen(), nowMs, before.complete() && !full);
    idleUntilMs =
        Math.min(
            Math.max(idleUntilMs, nowMs) + PAUSE_PER_MS_OF_REQUESTS * tookMs,
            nowMs + LONGEST_PAUSE_MS);
    if (full) {
      of.turns().clear();
    }
    asked.forEach(partition -> of.turns().put(partition, begun));
    of.unseen().keySet().removeAll(asked);
    unseen.forEach(each -> of.unseen().put(each.partition(), each));
    tables.put(table, of);
  }

  /** Returns the Hive partitions of registered files that queries do not see. */
  synchronized List<UnseenPartition> unseen(TableRoot table, List<DataFile> files) {
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
