package io.tidemark.completeness.show;

import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.GroupState;
import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.HivePartitionSum;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.Manifest;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.completeness.ledger.SettledState;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.OffsetRanges;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.Generation;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.TableName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** Example entries of a ledger. */
final class Ledgers {
  static final Instant SEVEN = Instant.parse("2026-11-21T07:00:00Z");
  static final Instant EIGHT = Instant.parse("2026-11-21T08:00:00Z");
  static final Instant ASKED = Instant.parse("2026-11-21T08:05:00.100Z");
  static final TableName ORDERS = new TableName("default", "orders");
  static final HivePartition HOUR_7 = HivePartition.parse("dt=2026-11-21/hour=07");
  private static final RecordCounts NOTHING = new RecordCounts(0, 0, 0, 0, 0);

  static final LedgerState STATE =
      new LedgerState(
          Optional.of(EIGHT),
          List.of(),
          0,
          new TreeMap<>(
              Map.of(
                  "orders",
                  new TopicState(
                      "X80o",
                      1,
                      1,
                      Optional.of(EIGHT.plusMillis(250)),
                      1,
                      Optional.of(ASKED),
                      NOTHING,
                      NOTHING,
                      Optional.empty(),
                      Optional.empty(),
                      Optional.empty(),
                      Optional.empty(),
                      new TreeMap<>(),
                      new TreeMap<>()))),
          new TreeMap<>(
              Map.of(
                  "default.orders",
                  new TableState(List.of("orders"), Optional.of(EIGHT), Optional.empty()))),
          new TreeMap<>(
              Map.of(
                  "sales",
                  new GroupState(
                      List.of("default.orders", "default.payments@payments"),
                      Optional.empty(),
                      Optional.of(new HeldBecause("NO_MEMBER", "default.payments@payments"))))),
          List.of(),
          Optional.empty(),
          List.of(),
          Map.of());

  private Ledgers() {}

  static HivePartitionTotal total(HivePartition partition, long records, long late) {
    return new HivePartitionTotal(
        ORDERS,
        partition,
        Optional.of(SEVEN),
        Optional.of(EIGHT),
        records,
        10 * records,
        1,
        late,
        false);
  }

  static Completion completion(HivePartition partition) {
    return new Completion(total(partition, 100, 0), 1, ASKED);
  }

  static NumberedEntry<LedgerEntry> reckoning(
      long number, Instant writtenAt, List<HivePartitionTotal> sums, List<Completion> completions) {
    return new NumberedEntry<>(
        number,
        new LedgerEntry.Reckoning(
            UUID.randomUUID(), STATE, writtenAt, new TreeMap<>(), sums, completions));
  }

  /** A batch of 50 offsets, 47 of them landed. */
  static SettledEntry.Batch batch(long number, long minTimestamp) {
    RecordCounts counts = new RecordCounts(47, 1, 0, 2, 0);
    return new SettledEntry.Batch(
        "orders",
        3,
        number,
        UUID.randomUUID(),
        new SettledState(new Generation(2, "Vees", "X80o"), 300, 350, counts, false),
        new OffsetRange(300, 350),
        counts,
        new NotLanded(
            OffsetRanges.of(301), OffsetRanges.NONE, OffsetRanges.of(310, 311), OffsetRanges.NONE),
        List.of(
            new HivePartitionSum(ORDERS, HOUR_7, 47, 470, 1, minTimestamp, EIGHT.toEpochMilli())),
        BatchIdCounts.NONE);
  }

  static SettledEntry.Batch emptyBatch(long number) {
    RecordCounts counts = new RecordCounts(0, 0, 0, 50, 0);
    return new SettledEntry.Batch(
        "orders",
        3,
        number,
        UUID.randomUUID(),
        new SettledState(new Generation(2, "Vees", "X80o"), 300, 350, counts, false),
        new OffsetRange(300, 350),
        counts,
        new NotLanded(
            OffsetRanges.NONE, OffsetRanges.NONE, OffsetRanges.parse("300-349"), OffsetRanges.NONE),
        List.of(),
        BatchIdCounts.NONE);
  }

  static Manifest manifest(long revision) {
    return new Manifest(
        "sales", completion(HOUR_7), revision, 300_000, false, new TreeMap<>(), List.of());
  }
}
