package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.HivePartitionSum;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.completeness.ledger.SettledState;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.OffsetRanges;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.Generation;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.TableName;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;

/** A brute-force model of a topic of Kafka and of its logs, record by record. */
final class ModelTopic {
  static final Instant START = Instant.parse("2026-11-21T00:00:00Z");

  /** A record and its state. */
  static final class Row {
    final int topicPartition;
    final String topicId;
    final long offset;
    final int hour;

    /** True if its event time was in the future when it was produced. */
    final boolean ahead;

    boolean settled;
    boolean landed;
    boolean lost;
    boolean deleted;

    /** True if the log of its topic-partition begins after it. */
    boolean beforeLog;

    Row(int topicPartition, String topicId, long offset, int hour, Instant now) {
      this.topicPartition = topicPartition;
      this.topicId = topicId;
      this.offset = offset;
      this.hour = hour;
      this.ahead = !from(hour).isBefore(now);
    }

    @Override
    public String toString() {
      return "settled %s, lost %s, deleted %s, before the log %s"
          .formatted(settled, lost, deleted, beforeLog);
    }
  }

  /** An entry of a log, with the records of its files. */
  record LogEntry(SettledEntry entry, List<Row> rows, Instant at) {}

  /**
   * The records of a topic-partition in the present life of the topic, and its log of all lives.
   */
  static final class Part {
    final List<Row> rows = new ArrayList<>();
    final List<LogEntry> log = new ArrayList<>();
    SettledState state;
    int settled;
    int folded;

    Part(SettledState state) {
      this.state = state;
    }
  }

  final String name;
  final TableName table;
  final List<Part> parts = new ArrayList<>();
  int life = 1;

  /** Whether tasks commit an empty batch to a log that begins without a record. */
  boolean pins = true;

  /** Whether Kafka has the topic. */
  boolean exists = true;

  /** The records that were deleted with the topic before any task committed them. */
  final List<Row> deleted = new ArrayList<>();

  ModelTopic(String name, TableName table, int topicPartitions) {
    this.name = name;
    this.table = table;
    for (int i = 0; i < topicPartitions; i++) {
      parts.add(new Part(begin()));
    }
  }

  String topicId() {
    return name + "-life-" + life;
  }

  private SettledState begin() {
    return new SettledState(
        new Generation(life, "cluster", topicId()), -1, -1, RecordCounts.NONE, false);
  }

  void produce(int topicPartition, int records, Random random, int hours, Instant now) {
    if (!exists) {
      return;
    }
    Part part = parts.get(topicPartition);
    for (int i = 0; i < records; i++) {
      part.rows.add(
          new Row(topicPartition, topicId(), part.rows.size(), random.nextInt(hours), now));
    }
  }

  /** Deletes and recreates the topic. Records that are in no entry are lost. */
  void makeAgain() {
    delete();
    life++;
    exists = true;
  }

  /** Deletes the topic. */
  void delete() {
    exists = false;
    for (Part part : parts) {
      // Another life of the topic has committed nothing of these records.
      long next =
          part.state.generation().topicId().equals(topicId()) ? Math.max(0, part.state.next()) : 0;
      part.rows.stream().filter(row -> row.offset >= next).forEach(row -> row.deleted = true);
      part.rows.stream().filter(row -> row.deleted || row.beforeLog).forEach(deleted::add);
      part.rows.clear();
    }
  }

  void claim(int topicPartition) {
    if (!exists) {
      return;
    }
    Part part = parts.get(topicPartition);
    if (!part.state.generation().topicId().equals(topicId())) {
      part.state = begin();
    }
    add(
        part,
        new SettledEntry.Claim(
            name, topicPartition, part.log.size() + 1L, UUID.randomUUID(), part.state),
        List.of());
  }

  /**
   * Claims a log that begins at an offset above 0, as with {@code auto.offset.reset=latest}, or
   * after Kafka's retention has deleted records.
   */
  void claimLater(int topicPartition, Random random) {
    Part part = parts.get(topicPartition);
    boolean begun = part.state.generation().topicId().equals(topicId()) && part.state.next() >= 0;
    if (!exists || begun || part.rows.isEmpty()) {
      return;
    }
    claim(topicPartition);
    int first = 1 + random.nextInt(part.rows.size());
    part.rows.subList(0, first).forEach(row -> row.beforeLog = true);
    pin(part, topicPartition, first);
  }

  /** An empty batch, which records where the log begins. */
  private void pin(Part part, int topicPartition, int first) {
    part.state = new SettledState(part.state.generation(), first, first, RecordCounts.NONE, false);
    add(
        part,
        new SettledEntry.Batch(
            name,
            topicPartition,
            part.log.size() + 1L,
            UUID.randomUUID(),
            part.state,
            new OffsetRange(first, first),
            RecordCounts.NONE,
            new NotLanded(
                OffsetRanges.NONE, OffsetRanges.NONE, OffsetRanges.NONE, OffsetRanges.NONE),
            List.of(),
            BatchIdCounts.NONE),
        List.of());
  }

  /** Commits the next offsets; some of them have no record in a file. */
  void commit(int topicPartition, Random random) {
    if (!exists) {
      return;
    }
    Part part = parts.get(topicPartition);
    if (!part.state.generation().topicId().equals(topicId()) || part.log.isEmpty()) {
      claim(topicPartition);
    }
    int first = (int) Math.max(0, part.state.next());
    if (first >= part.rows.size()) {
      if (pins && part.state.next() < 0) {
        pin(part, topicPartition, first);
      }
      return;
    }
    int next = first + 1 + random.nextInt(part.rows.size() - first);
    boolean lossy = random.nextInt(8) == 0;
    int lost = lossy ? 1 + random.nextInt(next - first) : 0;
    List<Row> landed = new ArrayList<>();
    List<Row> all = part.rows.subList(first, next);
    List<Long> dead = new ArrayList<>();
    List<Long> missing = new ArrayList<>();
    List<Long> gone = new ArrayList<>();
    for (Row row : all) {
      int fate = random.nextInt(10);
      if (row.offset < first + lost) {
        row.lost = true;
        gone.add(row.offset);
      } else if (fate == 0) {
        dead.add(row.offset);
      } else if (fate == 1) {
        missing.add(row.offset);
      } else {
        row.landed = true;
        landed.add(row);
      }
    }
    NotLanded notLanded =
        new NotLanded(ranges(dead), OffsetRanges.NONE, ranges(missing), ranges(gone));
    RecordCounts counts = notLanded.counts(landed.size());
    part.state =
        new SettledState(
            part.state.generation(),
            part.state.first() < 0 ? first : part.state.first(),
            next,
            part.state.counts().plus(counts),
            false);
    add(
        part,
        new SettledEntry.Batch(
            name,
            topicPartition,
            part.log.size() + 1L,
            UUID.randomUUID(),
            part.state,
            new OffsetRange(first, next),
            counts,
            notLanded,
            sums(landed),
            BatchIdCounts.NONE),
        List.copyOf(all));
  }

  private static void add(Part part, SettledEntry entry, List<Row> rows) {
    part.log.add(new LogEntry(entry, rows, START));
  }

  private static OffsetRanges ranges(List<Long> offsets) {
    return OffsetRanges.of(offsets.stream().mapToLong(Long::longValue).toArray());
  }

  private List<HivePartitionSum> sums(List<Row> landed) {
    TreeMap<Integer, Long> byHour = new TreeMap<>();
    landed.forEach(row -> byHour.merge(row.hour, 1L, Long::sum));
    return byHour.entrySet().stream()
        .map(
            hour ->
                new HivePartitionSum(
                    table,
                    hivePartition(hour.getKey()),
                    hour.getValue(),
                    10 * hour.getValue(),
                    1,
                    from(hour.getKey()).toEpochMilli(),
                    from(hour.getKey()).toEpochMilli() + 1))
        .toList();
  }

  static HivePartition hivePartition(int hour) {
    LocalDateTime from = LocalDateTime.ofInstant(from(hour), ZoneOffset.UTC);
    return HivePartition.parse("dt=%s/hour=%02d".formatted(from.toLocalDate(), from.getHour()));
  }

  static int hour(HivePartition hivePartition) {
    List<String> values = hivePartition.values();
    Instant day = LocalDate.parse(values.get(0)).atStartOfDay(ZoneOffset.UTC).toInstant();
    return (int) Duration.between(START, day).toHours() + Integer.parseInt(values.get(1));
  }

  static Instant from(int hour) {
    return START.plus(Duration.ofHours(hour));
  }

  /** The task publishes and registers its next entry. It can then be accounted for. */
  void settle(int topicPartition) {
    Part part = parts.get(topicPartition);
    if (part.settled < part.log.size()) {
      part.log.get(part.settled++).rows().forEach(row -> row.settled = true);
    }
  }

  /** The log, as a reader finds it: entries that are not settled, and perhaps a checkpoint. */
  ListedLog log(int topicPartition) {
    Part part = parts.get(topicPartition);
    ListedLog log = new ListedLog();
    part.log.forEach(each -> log.put(each.entry(), each.at()));
    log.fold(part.folded);
    return log;
  }
}
