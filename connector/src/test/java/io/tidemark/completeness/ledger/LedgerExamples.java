package io.tidemark.completeness.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.store.batch.BatchIdCount;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.OffsetRanges;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.Generation;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.TableName;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** One example of each record, in which every field differs from its default. */
public final class LedgerExamples {
  static final UUID ATTEMPT = UUID.fromString("8c6d8dc8-7dc1-4a38-8e83-601ebc9ad64c");
  static final Instant AT = Instant.parse("2026-11-21T08:05:09.104Z");
  static final Instant SEVEN = Instant.parse("2026-11-21T07:00:00Z");
  static final Instant EIGHT = Instant.parse("2026-11-21T08:00:00Z");
  static final TableName ORDERS = new TableName("default", "orders");
  static final HivePartition HOUR = HivePartition.parse("dt=2026-11-21/hour=07");
  static final RecordCounts COUNTS = new RecordCounts(247, 1, 0, 2, 0);

  static final SettledState AFTER =
      new SettledState(new Generation(2, "Vees", "X80o"), 100, 350, COUNTS, false);

  static final SettledEntry.Batch BATCH =
      new SettledEntry.Batch(
          "orders",
          3,
          118,
          ATTEMPT,
          AFTER,
          new OffsetRange(300, 350),
          new RecordCounts(47, 1, 0, 2, 0),
          new NotLanded(
              OffsetRanges.of(301),
              OffsetRanges.NONE,
              OffsetRanges.of(310, 311),
              OffsetRanges.NONE),
          List.of(
              new HivePartitionSum(
                  ORDERS, HOUR, 47, 2_171, 1, 1_795_248_014_445L, 1_795_248_014_999L)),
          new BatchIdCounts(
              List.of(
                  new BatchIdCount("nightly-21", Optional.of("default.orders"), 40, 0, 0),
                  new BatchIdCount("nightly-21", Optional.empty(), 0, 1, 0)),
              5));

  static final Account ACCOUNT =
      new Account(
          "sales",
          2,
          "4711@w2",
          new TreeMap<>(Map.of("orders", List.of(0, 3))),
          List.of(
              new LogPointer(
                  "orders", 3, 118, ATTEMPT, 117, List.of(new HivePartitionId(ORDERS, HOUR)))),
          List.of());

  static final Snapshot SNAPSHOT =
      new Snapshot(
          EIGHT,
          Instant.parse("2026-11-21T08:05:00.104Z"),
          "Vees",
          new TreeMap<>(
              Map.of(
                  "orders",
                  new TopicEnds(
                      "X80o", List.of(250_010L, 249_998L, 0L), Collections.emptySortedMap()))));

  static final Hold LOST =
      new Hold(
          HoldKind.LOST,
          "orders",
          1,
          "X80o",
          100,
          250,
          Optional.empty(),
          Optional.of("known"),
          Optional.of(AT));

  static final Hold UNSEEN =
      new Hold(
          HoldKind.UNSEEN,
          "orders",
          Hold.ALL,
          "X80o",
          0,
          Long.MAX_VALUE,
          Optional.of(new HivePartitionId(ORDERS, HOUR)),
          Optional.empty(),
          Optional.empty());

  static final HeldBecause HOLD = new HeldBecause("BEHIND", "orders-3: 1200 offsets behind");

  static final CountedBatch COUNTED =
      CountedBatch.none(SEVEN).plus("orders", new BatchTally(100, 7, 3), EIGHT);

  static final AnnouncementsState ANNOUNCEMENTS =
      new AnnouncementsState(
          "q1Zk",
          List.of(12L, 0L),
          Optional.of(SEVEN),
          new TreeMap<>(
              Map.of(
                  "nightly-21",
                  new AnnouncedBatch(
                      40,
                      EIGHT,
                      SEVEN,
                      new TreeMap<>(Map.of("orders", 110L, "payments", 1L << 53)),
                      true,
                      COUNTED,
                      Optional.of(new BatchVerdict(41, EIGHT, Optional.of(HOLD)))),
                  "nightly-22 \u00fc",
                  new AnnouncedBatch(
                      41,
                      EIGHT,
                      SEVEN,
                      new TreeMap<>(Map.of("orders", 0L)),
                      false,
                      CountedBatch.none(EIGHT),
                      Optional.empty()))),
          new TreeMap<>(Map.of("later", COUNTED)),
          List.of("forgotten"),
          new TreeMap<>(Map.of("orders", new Uncounted(EIGHT, "50 records were lost"))));

  private static final JsonNode LATER =
      JsonNodeFactory.instance
          .objectNode()
          .set("a", JsonNodeFactory.instance.arrayNode().add(1).addNull());

  public static final LedgerState STATE =
      new LedgerState(
          Optional.of(EIGHT),
          List.of(13L),
          41,
          new TreeMap<>(
              Map.of(
                  "orders",
                  new TopicState(
                      "X80o",
                      2,
                      3,
                      Optional.of(SEVEN),
                      12,
                      Optional.of(EIGHT),
                      COUNTS,
                      new RecordCounts(200, 1, 0, 0, 0),
                      Optional.of(SEVEN),
                      Optional.of(HOLD),
                      Optional.of(new TopicState.Retired("X80o", 11)),
                      Optional.empty(),
                      new TreeMap<>(Map.of(3, new Assigned(2, "4711@w2", SEVEN, Optional.of(AT)))),
                      new TreeMap<>(
                          Map.of(
                              3,
                              new Position(
                                  118,
                                  ATTEMPT,
                                  "Vees",
                                  "X80o",
                                  350,
                                  COUNTS,
                                  Optional.of(new Position.Former("old", 7)),
                                  Optional.of(AT)),
                              0,
                              new Position(
                                  1,
                                  ATTEMPT,
                                  "Vees",
                                  "old",
                                  -1,
                                  RecordCounts.NONE,
                                  Optional.empty(),
                                  Optional.empty())))))),
          new TreeMap<>(
              Map.of(
                  "default.orders",
                  new TableState(
                      List.of("orders"),
                      Optional.of(SEVEN),
                      Optional.empty(),
                      Optional.empty(),
                      Optional.empty(),
                      Optional.empty()))),
          new TreeMap<>(
              Map.of(
                  "sales",
                  new GroupState(
                      List.of("default.orders", "default.payments@payments"),
                      Optional.empty(),
                      Optional.of(new HeldBecause("NO_MEMBER", "default.payments@payments"))))),
          List.of(LOST, UNSEEN),
          Optional.of(ANNOUNCEMENTS),
          List.of(AnnouncementsState.FEATURE),
          Map.of("later", LATER));

  static final HivePartitionTotal TOTAL =
      new HivePartitionTotal(
          ORDERS, HOUR, Optional.of(SEVEN), Optional.of(EIGHT), 401_221, 45_100_210, 24, 7, true);

  static final HivePartitionTotal TIMELESS =
      new HivePartitionTotal(
          ORDERS,
          HivePartition.WHOLE_TABLE,
          Optional.empty(),
          Optional.empty(),
          5,
          100,
          1,
          0,
          false);

  static final Completion COMPLETION = new Completion(TOTAL, 12, AT);

  static final List<LedgerEntry> ENTRIES =
      List.of(
          new LedgerEntry.Claim(ATTEMPT, STATE, AT, "sales", "4711@w1"),
          new LedgerEntry.SnapshotTaken(ATTEMPT, STATE, AT, SNAPSHOT),
          new LedgerEntry.Reckoning(
              ATTEMPT,
              STATE,
              AT,
              new TreeMap<>(Map.of("orders", new Covering(12, COUNTS))),
              List.of(TOTAL, TIMELESS),
              List.of(COMPLETION)),
          new LedgerEntry.Acknowledge(
              ATTEMPT,
              STATE,
              AT,
              "ann",
              "known",
              List.of(LOST),
              List.of("former"),
              List.of("orders")),
          new LedgerEntry.Checkpoint(
              ATTEMPT,
              STATE,
              AT,
              new TreeMap<>(Map.of(13L, SNAPSHOT)),
              List.of(
                  new OpenTotal(TOTAL, Optional.of(AT), true),
                  new OpenTotal(TIMELESS, Optional.empty(), false))));

  static final Manifest MANIFEST =
      new Manifest(
          "sales",
          COMPLETION,
          42,
          300_000,
          true,
          new TreeMap<>(Map.of("orders", COUNTS)),
          List.of(LOST));

  private LedgerExamples() {}
}
